// step: overlapped-chunks{site=k/loop:k,chunks=4}
// eol: crlf
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float below = 0.0f;
  for (int k = 0; k < w; k++) {
    y[k * n + i] = a[k * n + i] - below;
    below = a[k * n + i];
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float below = 0.0f;
  const int part = blockIdx.z % 4;
  const int first = w * part / 4;
  const int last = w * (part + 1) / 4;
  const int begin = first < 1 ? 0 : first - 1;
  for (int k = begin; k < last; k++) {
    if (k >= first) y[k * n + i] = a[k * n + i] - below;
    below = a[k * n + i];
  }
}
//== launch threads_per_index=1,1,4
