// step: read-only-loads{site=k/param:in}
// r3c: kernel()
// r3c: buffer(in, in)
__global__ void k(float *out, const float *in, int n) {
  out[n] = in[n];
}
//== expect
// r3c: kernel()
// r3c: buffer(in, in)
__global__ void k(float *out, const float *in, int n) {
  out[n] = __ldg(&in[n]);
}
