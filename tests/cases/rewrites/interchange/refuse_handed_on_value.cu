// step: interchange{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *__restrict__ b, const float *__restrict__ a, int h, int w) {
  float last = 0.0f;
  for (int i = 0; i < h; i++) {
    for (int j = 0; j < w; j++) {
      last = a[i * w + j] - last;
    }
  }
  b[0] = last;
}
//== refused 7:7 interchange refused: `last` is handed from one iteration to the next
