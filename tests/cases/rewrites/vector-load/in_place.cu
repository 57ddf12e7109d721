// step: vector-load{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < 4; i++) {
    a[n + i] = a[n + i] * 2.0f;
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  float a_wide[4];
  if ((size_t)&a[n + 0] % 16 == 0) {
    const float4 whole = *(const float4 *)&a[n + 0];
    a_wide[0] = whole.x;
    a_wide[1] = whole.y;
    a_wide[2] = whole.z;
    a_wide[3] = whole.w;
  } else {
    a_wide[0] = a[n + 0];
    a_wide[1] = a[n + 1];
    a_wide[2] = a[n + 2];
    a_wide[3] = a[n + 3];
  }
  for (int i = 0; i < 4; i++) {
    a[n + i] = a_wide[i] * 2.0f;
  }
}
