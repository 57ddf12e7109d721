// step: vector-load{site=k/loop:i}
// r3c: kernel()
__global__ void k(double *__restrict__ out, const double *__restrict__ a, int n) {
  double s = 0.0f;
  for (int i = 0; i < 2; i++) {
    s += a[i + n];
  }
  out[n] = s;
}
//== expect
// r3c: kernel()
__global__ void k(double *__restrict__ out, const double *__restrict__ a, int n) {
  double s = 0.0f;
  double a_wide[2];
  if ((size_t)&a[0 + n] % 16 == 0) {
    const double2 whole = *(const double2 *)&a[0 + n];
    a_wide[0] = whole.x;
    a_wide[1] = whole.y;
  } else {
    a_wide[0] = a[0 + n];
    a_wide[1] = a[1 + n];
  }
  for (int i = 0; i < 2; i++) {
    s += a_wide[i];
  }
  out[n] = s;
}
