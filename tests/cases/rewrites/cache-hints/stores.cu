// step: cache-hints{site=k/param:out,hint=l2}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n) {
  out[n] = in[n];
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n) {
  __stcg(&out[n], in[n]);
}
