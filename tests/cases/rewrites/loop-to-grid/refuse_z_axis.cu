// step: loop-to-grid{site=k/loop:k,chunks=4}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n, int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < depth; k++) {
    out[k * n + i] = blockIdx.z;
  }
}
//== refused 3:1 loop-to-grid refused: the kernel uses the z axis already
