// step: vector-load{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, int n) {
  float s = 0.0f;
  for (int i = 0; i < 4; i++) {
    s += a[n * 4 + i];
  }
  out[n] = s;
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, int n) {
  float s = 0.0f;
  float a_wide[4];
  if ((size_t)&a[n * 4 + 0] % 16 == 0) {
    const float4 whole = *(const float4 *)&a[n * 4 + 0];
    a_wide[0] = whole.x;
    a_wide[1] = whole.y;
    a_wide[2] = whole.z;
    a_wide[3] = whole.w;
  } else {
    a_wide[0] = a[n * 4 + 0];
    a_wide[1] = a[n * 4 + 1];
    a_wide[2] = a[n * 4 + 2];
    a_wide[3] = a[n * 4 + 3];
  }
  for (int i = 0; i < 4; i++) {
    s += a_wide[i];
  }
  out[n] = s;
}
