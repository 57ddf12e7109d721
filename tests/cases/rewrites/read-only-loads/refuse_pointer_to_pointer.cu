// step: read-only-loads{site=k/param:in}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *const *in, int n) {
  out[n] = in[0][n];
}
//== refused 3:44 read-only-loads refused: `in` is more than a pointer to numbers
