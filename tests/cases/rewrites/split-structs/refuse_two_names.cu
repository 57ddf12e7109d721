// step: split-structs{site=k/decl:p}
// r3c: kernel()
__global__ void k(float *out, const float4 *in, int n) {
  float4 p[4], q;
  p[0] = in[0];
  out[0] = p[0].x;
}
//== refused 4:10 split-structs refused: its declaration has an initialiser or other names
