// step: cache-hints{site=k/param:out,hint=streaming}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n) {
  out[n] = n + 1;
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n) {
  __stcs(&out[n], (float)(n + 1));
}
