// step: vector-load{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, int n) {
  float s = 0.0f;
  for (int i = 0; i < 4; i++) {
    s += n > 2 ? a[n + i] : 0.0f;
  }
  out[n] = s;
}
//== refused 5:31 vector-load refused: no iteration reads the element after the one before it
