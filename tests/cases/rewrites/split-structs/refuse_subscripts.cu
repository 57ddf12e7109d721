// step: split-structs{site=k/decl:p}
// r3c: kernel()
__global__ void k(float *out, const float4 *in, int n) {
  float4 p[4];
  p[0] = in[0];
  out[0] = look(p);
}
//== refused 6:17 split-structs refused: `p` is used here without all its subscripts
