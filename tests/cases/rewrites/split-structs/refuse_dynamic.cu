// step: split-structs{site=k/decl:p}
// r3c: kernel()
__global__ void k(float *out, const float4 *in, int n) {
  extern __shared__ float4 p[];
  out[0] = p[0].x;
}
//== refused 4:28 split-structs refused: the layout of its declaration matters
