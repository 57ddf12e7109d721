// step: vector-load{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, int n) {
  float s = 0.0f;
  for (int i = 0; i < 5; i++) {
    s += a[n * 4 + i];
  }
  out[n] = s;
}
//== refused 5:3 vector-load refused: it does not run 2 or 4 times from 0
