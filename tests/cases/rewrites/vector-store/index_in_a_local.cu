// step: vector-store{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *__restrict__ a, const float *__restrict__ b, int n, int m) {
  for (int i = 0; i < 4; i++) {
    const int at = m * 4 + i;
    a[at] = a[at] + b[at];
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ a, const float *__restrict__ b, int n, int m) {
  float a_wide[4];
  for (int i = 0; i < 4; i++) {
    const int at = m * 4 + i;
    a_wide[i] = a[at] + b[at];
  }
  if ((size_t)&a[(int)(m * 4 + 0)] % 16 == 0) {
    float4 whole;
    whole.x = a_wide[0];
    whole.y = a_wide[1];
    whole.z = a_wide[2];
    whole.w = a_wide[3];
    *(float4 *)&a[(int)(m * 4 + 0)] = whole;
  } else {
    a[(int)(m * 4 + 0)] = a_wide[0];
    a[(int)(m * 4 + 1)] = a_wide[1];
    a[(int)(m * 4 + 2)] = a_wide[2];
    a[(int)(m * 4 + 3)] = a_wide[3];
  }
}
