// step: overlapped-chunks{site=k/loop:k,chunks=4}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float below = 0.0f, here = a[i], above = a[i + n];
  for (int k = 1; k < w - 1; k++) {
    below = here;
    here = above;
    above = a[(k + 1) * n + i];
    y[k * n + i] = above - 2.0f * here + below;
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float below = 0.0f, here = a[i], above = a[i + n];
  const int part = blockIdx.z % 4;
  const int first = 1 + ((w - 1) - 1) * part / 4;
  const int last = 1 + ((w - 1) - 1) * (part + 1) / 4;
  const int begin = first - 1 < 2 ? 1 : first - 2;
  for (int k = begin; k < last; k++) {
    below = here;
    here = above;
    above = a[(k + 1) * n + i];
    if (k >= first) y[k * n + i] = above - 2.0f * here + below;
  }
}
//== launch threads_per_index=1,1,4
