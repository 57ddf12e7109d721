// step: read-only-loads{site=k/param:in}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n) {
  out[n] = 1.0f;
}
//== refused 3:44 read-only-loads refused: `in` is not read
