// step: interchange{site=k/loop:i}
// r3c: kernel(rtol=1e-3)
__global__ void k(float *__restrict__ b, const float *__restrict__ a, int h, int w) {
  for (int i = 0; i < h; i++) {
    for (int j = 0; j < w; j++) {
      atomicAdd(&b[0], a[i]);
    }
  }
}
//== refused 6:7 interchange refused: an atomic operation keeps its place
