// step: interchange{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *__restrict__ b, const float *__restrict__ a, int h, int w) {
  #pragma unroll
  for (int i = 0; i < h; i++) {
    for (int j = 0; j < w; j++) {
      b[i * w + j] = 1.0f;
    }
  }
}
//== refused 5:3 interchange refused: a pragma belongs to one of the loops
