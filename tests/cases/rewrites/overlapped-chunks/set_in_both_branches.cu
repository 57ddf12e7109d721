// step: overlapped-chunks{site=k/loop:k,chunks=4}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v;
  for (int k = 0; k < w; k++) {
    if (k == 0) {
      v = 0.0f;
    } else {
      v = a[(k - 1) * n + i];
    }
    y[k * n + i] = v;
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v;
  const int part = blockIdx.z % 4;
  const int first = w * part / 4;
  const int last = w * (part + 1) / 4;
  for (int k = first; k < last; k++) {
    if (k == 0) {
      v = 0.0f;
    } else {
      v = a[(k - 1) * n + i];
    }
    y[k * n + i] = v;
  }
}
//== launch threads_per_index=1,1,4
