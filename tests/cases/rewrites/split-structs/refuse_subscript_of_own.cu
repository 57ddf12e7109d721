// step: split-structs{site=k/decl:p}
// r3c: kernel()
__global__ void k(float *out, const float4 *in, int n) {
  float4 p[4];
  p[0] = in[0];
  out[0] = p[(int)p[0].x].y;
}
//== refused 6:19 split-structs refused: `p` is used in a subscript of its own
