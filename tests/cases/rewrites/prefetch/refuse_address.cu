// step: prefetch{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *out, const float *a, int n) {
  float s = 0.0f;
  for (int i = 0; i < n; i++) {
    s += __ldg(&a[i]);
  }
  out[0] = s;
}
//== refused 5:31 prefetch refused: it does not read a plain number in every iteration at a place made of the counter
