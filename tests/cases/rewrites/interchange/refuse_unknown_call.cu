// step: interchange{site=k/loop:i}
__device__ void act(float *p, int i);
// r3c: kernel()
__global__ void k(float *__restrict__ b, const float *__restrict__ a, int h, int w) {
  for (int i = 0; i < h; i++) {
    for (int j = 0; j < w; j++) {
      act(b, i);
    }
  }
}
//== refused 7:7 interchange refused: this may write the counter `i`
