// step: split-structs{site=k/decl:p}
// r3c: kernel()
__global__ void k(float *out, const float4 *in, int n) {
  float4 p = in[0];
  out[0] = p.x;
}
//== refused 4:10 split-structs refused: this site is not an array of structures
