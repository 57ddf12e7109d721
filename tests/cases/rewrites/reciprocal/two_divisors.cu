// step: reciprocal{site=k/loop:i}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *out, const float *in, float d, int n) {
  const float e = d + 1.0f;
  for (int i = 0; i < n; i++) {
    float v = in[i] / d + in[i] / (d * e);
    v /= d;
    out[i] = v / 3.0f + i / n + v / in[i];
  }
}
//== expect
// r3c: kernel(rtol=1e-5)
__global__ void k(float *out, const float *in, float d, int n) {
  const float e = d + 1.0f;
  const float inverse = 1.0f / d;
  const float inverse_2 = 1.0f / (d * e);
  for (int i = 0; i < n; i++) {
    float v = in[i] * inverse + in[i] * inverse_2;
    v *= inverse;
    out[i] = v / 3.0f + i / n + v / in[i];
  }
}
