// step: vector-load{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, int n) {
  float s = 0.0f;
  for (int i = 0; i < 4; i++) {
    s += __ldg(&a[n + i]);
  }
  out[0] = s;
}
//== refused 5:31 vector-load refused: no iteration reads the element after the one before it
