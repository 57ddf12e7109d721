// step: overlapped-chunks{site=k/loop:k,chunks=4}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < w; k++) atomicAdd(&y[k], a[k * n + i]);
}
//== refused 6:31 overlapped-chunks refused: an atomic or volatile access keeps its place
