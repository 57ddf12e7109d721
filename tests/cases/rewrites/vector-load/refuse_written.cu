// step: vector-load{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *out, const float *a, int n) {
  float s = 0.0f;
  for (int i = 0; i < 4; i++) {
    s += a[n + i];
    out[i] = s;
  }
  out[n] = s;
}
//== refused 7:5 vector-load refused: this may write what `a[n + i]` reads
