// step: read-only-loads{site=k/param:in}
// r3c: kernel()
__global__ void k(float *__restrict__ out, float *__restrict__ in, int n) {
  in[n] = out[n];
}
//== refused 4:3 read-only-loads refused: `in` is written here
