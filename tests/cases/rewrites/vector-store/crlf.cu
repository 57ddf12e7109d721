// step: vector-store{site=k/loop:i}
// eol: crlf
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n) {
  for (int i = 0; i < 4; i++) out[n + i] = in[i];
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n) {
  float out_wide[4];
  for (int i = 0; i < 4; i++) out_wide[i] = in[i];
  if ((size_t)&out[n + 0] % 16 == 0) {
    float4 whole;
    whole.x = out_wide[0];
    whole.y = out_wide[1];
    whole.z = out_wide[2];
    whole.w = out_wide[3];
    *(float4 *)&out[n + 0] = whole;
  } else {
    out[n + 0] = out_wide[0];
    out[n + 1] = out_wide[1];
    out[n + 2] = out_wide[2];
    out[n + 3] = out_wide[3];
  }
}
