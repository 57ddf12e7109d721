// step: loop-to-grid{site=k/loop:k,chunks=4}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n, unsigned int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = n; k < depth; k++) {
    out[k * n + i] = in[i];
  }
}
//== refused 6:8 loop-to-grid refused: its counter is no int, or its bound is not signed
