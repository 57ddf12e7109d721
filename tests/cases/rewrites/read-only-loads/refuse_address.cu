// step: read-only-loads{site=k/param:in}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n) {
  out[n] = *(&in[n]);
}
//== refused 4:14 read-only-loads refused: the address of an element of `in` is taken here
