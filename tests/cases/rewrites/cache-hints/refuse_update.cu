// step: cache-hints{site=k/param:out,hint=streaming}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n) {
  out[n] += in[n];
}
//== refused 4:3 cache-hints refused: this store is not a statement `p[i] = value;`
