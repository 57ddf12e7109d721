// step: overlapped-chunks{site=k/loop:k,chunks=4}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int z = blockIdx.z;
  for (int k = 0; k < w; k++) y[k * n + i + z] = a[k * n + i];
}
//== refused 3:1 overlapped-chunks refused: the kernel uses the z axis already
