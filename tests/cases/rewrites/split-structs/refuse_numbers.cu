// step: split-structs{site=k/decl:p}
// r3c: kernel()
__global__ void k(float *out, const float4 *in, int n) {
  float p[4];
  p[0] = in[0].x;
  out[0] = p[0];
}
//== refused 4:9 split-structs refused: `float` is no structure of plain numbers known here
