// launch: 2 x 64
// arg: int* hits 128
// arg: int samples 37
// r3c: kernel()
__global__ void monte_carlo(int *hits, int samples) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int state = 12345u + 7919u * i;
  int inside = 0;
  for (int s = 0; s < samples; s++) {
    state = state * 1664525u + 1013904223u;
    float x = (state >> 8) * (1.0f / 16777216.0f);
    state = state * 1664525u + 1013904223u;
    float y = (state >> 8) * (1.0f / 16777216.0f);
    if (x * x + y * y < 1.0f) inside++;
  }
  hits[i] = inside;
}
