// step: loop-to-grid{site=k/loop:k,chunks=4}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n, int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int j = 0; j < n; j++)
    for (int k = 0; k < depth; k++) out[(j * depth + k) * n + i] = 1.0f;
}
//== refused 7:5 loop-to-grid refused: it stands inside another loop
