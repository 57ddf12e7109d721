// step: split-structs{site=k/decl:p}
// r3c: kernel()
__global__ void k(float *out, const float4 *in, int n) {
  float4 p[4];
  int at = 0;
  p[at++] = in[0];
  out[0] = p[0].x;
}
//== refused 6:3 split-structs refused: the subscripts of a whole element do more than compute
