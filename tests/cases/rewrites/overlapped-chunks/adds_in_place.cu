// step: overlapped-chunks{site=k/loop:k,chunks=4}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < w; k++) y[k * n + i] += a[k * n + i];
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int part = blockIdx.z % 4;
  const int first = w * part / 4;
  const int last = w * (part + 1) / 4;
  for (int k = first; k < last; k++) y[k * n + i] += a[k * n + i];
}
//== launch threads_per_index=1,1,4
