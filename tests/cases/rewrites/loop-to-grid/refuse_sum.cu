// step: loop-to-grid{site=k/loop:k,chunks=4}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n, int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0.0f;
  for (int k = 0; k < depth; k++) {
    s += in[k * n + i];
  }
  if (s > 3.0f) s = 0.0f;
}
//== refused 8:5 loop-to-grid refused: `s` is handed from one iteration to the next
