// step: overlapped-chunks{site=k/loop:k,chunks=4}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float plane[192];
  int at = threadIdx.x, place = blockIdx.x * 64 + threadIdx.x, now;
  int k;
  plane[at + 128] = a[place];
  for (k = 0; k < w; k++) {
    now = place;
    place = place + n;
    plane[at] = plane[at + 64];
    plane[at + 64] = plane[at + 128];
    if (k < w - 1) plane[at + 128] = a[place];
    __syncthreads();
    if (at > 0) y[now] = plane[at + 63] + plane[at] + plane[at + 128];
    __syncthreads();
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float plane[192];
  int at = threadIdx.x, place = blockIdx.x * 64 + threadIdx.x, now;
  int k;
  plane[at + 128] = a[place];
  const int part = blockIdx.z % 4;
  const int first = w * part / 4;
  const int last = w * (part + 1) / 4;
  const int begin = first < (w < 8 ? 3 : 2) ? 0 : first - (w < 8 ? 3 : 2);
  place += n * begin;
  for (k = begin; k < last; k++) {
    now = place;
    place = place + n;
    plane[at] = plane[at + 64];
    plane[at + 64] = plane[at + 128];
    if (k < w - 1) plane[at + 128] = a[place];
    __syncthreads();
    if (at > 0) { if (k >= first) y[now] = plane[at + 63] + plane[at] + plane[at + 128]; }
    __syncthreads();
  }
}
//== launch threads_per_index=1,1,4
