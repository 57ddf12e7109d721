// step: split-structs{site=k/decl:p}
struct Cell { float f[9]; };
// r3c: kernel()
__global__ void k(float *out) {
  Cell p[4];
  p[0].f[0] = out[0];
  out[0] = p[0].f[0];
}
//== refused 5:8 split-structs refused: `Cell` is no structure of plain numbers known here
