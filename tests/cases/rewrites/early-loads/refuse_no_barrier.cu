// step: early-loads{site=k/loop:j,most=4}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ b, int n, int w) {
  __shared__ float t[64];
  float s = 0.0f;
  for (int j = 0; j < w; j++) {
    s += b[j];
  }
  y[0] = s;
}
//== refused 6:3 early-loads refused: no barrier stands in it
