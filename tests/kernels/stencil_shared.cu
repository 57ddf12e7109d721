// launch: 4 x 64
// arg: float* out 256
// arg: float* in 256
// arg: int n 256
#define RADIUS 3
#define TILE 64
// r3c: kernel(rtol=1e-6, atol=1e-4)
__global__ void stencil_shared(float *out, const float *in, int n) {
  __shared__ float tile[TILE + 2 * RADIUS];
  int g = blockIdx.x * TILE + threadIdx.x;
  int l = threadIdx.x + RADIUS;
  tile[l] = g < n ? in[g] : 0.0f;
  if (threadIdx.x < RADIUS) {
    tile[l - RADIUS] = g >= RADIUS ? in[g - RADIUS] : 0.0f;
    tile[l + TILE] = g + TILE < n ? in[g + TILE] : 0.0f;
  }
  __syncthreads();
  float sum = 0.0f;
  for (int d = -RADIUS; d <= RADIUS; d++) {
    sum += tile[l + d];
  }
  if (g < n) out[g] = sum;
}
