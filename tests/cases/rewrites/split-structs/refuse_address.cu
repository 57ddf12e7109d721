// step: split-structs{site=k/decl:p}
// r3c: kernel()
__global__ void k(float *out, const float4 *in, int n) {
  float4 p[4];
  p[0] = in[0];
  float *q = &p[0].x;
  out[0] = q[1];
}
//== refused 6:14 split-structs refused: the layout of a structure matters here
