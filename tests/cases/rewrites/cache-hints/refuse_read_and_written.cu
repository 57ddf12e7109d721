// step: cache-hints{site=k/param:out,hint=streaming}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n) {
  out[n] = out[n + 1];
}
//== refused 3:19 cache-hints refused: `out` is both read and written
