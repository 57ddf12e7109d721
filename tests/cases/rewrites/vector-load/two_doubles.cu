// step: vector-load{site=k/loop:i}
// r3c: kernel()
__global__ void k(double *__restrict__ out, const double *__restrict__ a, int n) {
  double s = 0.0f;
  for (int i = 0; i < 2; i++) {
    s += a[i + n];
  }
  out[n] = s;
}
