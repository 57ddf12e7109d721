// step: split-structs{site=k/decl:p}
// r3c: kernel()
__global__ void k(float *out, const float4 *in, int n) {
  float4 p[4];
  p[0] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  out[0] = p[0].x;
}
//== refused 5:3 split-structs refused: this sets a whole element otherwise than by a copy
