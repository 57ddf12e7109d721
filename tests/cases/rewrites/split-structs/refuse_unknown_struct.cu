// step: split-structs{site=k/decl:p}
// r3c: kernel()
__global__ void k(float *out, const Cell *in, int n) {
  Cell p[4];
  p[0] = in[0];
  out[0] = p[0].x;
}
//== refused 4:8 split-structs refused: `Cell` is no structure of plain numbers known here
