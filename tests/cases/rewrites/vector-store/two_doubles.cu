// step: vector-store{site=k/loop:i}
// r3c: kernel()
__global__ void k(double *__restrict__ out, const double *__restrict__ a, int n) {
  int at = threadIdx.x * 2;
  for (int i = 0; i < 2; i++) {
    double v = a[at + i];
    out[i + at] = v * v;
  }
}
//== expect
// r3c: kernel()
__global__ void k(double *__restrict__ out, const double *__restrict__ a, int n) {
  int at = threadIdx.x * 2;
  double out_wide[2];
  for (int i = 0; i < 2; i++) {
    double v = a[at + i];
    out_wide[i] = v * v;
  }
  if ((size_t)&out[0 + at] % 16 == 0) {
    double2 whole;
    whole.x = out_wide[0];
    whole.y = out_wide[1];
    *(double2 *)&out[0 + at] = whole;
  } else {
    out[0 + at] = out_wide[0];
    out[1 + at] = out_wide[1];
  }
}
