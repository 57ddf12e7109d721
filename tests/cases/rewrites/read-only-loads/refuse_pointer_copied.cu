// step: read-only-loads{site=k/param:in}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n) {
  const float *p = in;
  out[n] = p[n];
}
//== refused 4:20 read-only-loads refused: `in` is used here otherwise than by a subscript
