// step: overlapped-chunks{site=k/loop:k,chunks=4}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int at = i;
  for (int k = 0; k < w; k++) {
    if (n > 3) at += n;
    float v = a[at];
    if (v > 0.0f) y[k * n + i] = v;
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int at = i;
  const int part = blockIdx.z % 4;
  const int first = w * part / 4;
  const int last = w * (part + 1) / 4;
  if (n > 3) at += n * first;
  for (int k = first; k < last; k++) {
    if (n > 3) at += n;
    float v = a[at];
    if (v > 0.0f) y[k * n + i] = v;
  }
}
//== launch threads_per_index=1,1,4
