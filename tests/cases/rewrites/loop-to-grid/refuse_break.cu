// step: loop-to-grid{site=k/loop:k,chunks=4}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n, int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < depth; k++) {
    if (in[k] < 0.0f) break;
    out[k * n + i] = in[i];
  }
}
//== refused 7:23 loop-to-grid refused: the loop body leaves early with `break`
