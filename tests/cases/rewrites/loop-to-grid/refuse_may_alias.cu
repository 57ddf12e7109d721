// step: loop-to-grid{site=k/loop:k,chunks=4}
// r3c: kernel()
__global__ void k(float *out, const float *in, int n, int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < depth; k++) {
    out[k * n + i] = in[k * n + i];
  }
}
//== refused 7:5 loop-to-grid refused: another iteration's `in[k * n + i]` may meet this
