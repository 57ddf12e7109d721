// step: cache-hints{site=k/param:in,hint=streaming}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n) {
  out[n] = in[n];
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n) {
  out[n] = __ldcs(&in[n]);
}
