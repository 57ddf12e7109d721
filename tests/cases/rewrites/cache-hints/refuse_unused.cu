// step: cache-hints{site=k/param:out,hint=streaming}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n) {
  float v = in[n];
}
//== refused 3:19 cache-hints refused: `out` is not used by subscript
