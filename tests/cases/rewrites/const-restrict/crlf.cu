// step: const-restrict{site=k/param:in}
// eol: crlf
// r3c: kernel()
// r3c: buffer(in, in)
__global__ void k(float *out, float *in, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = in[i];
}
//== expect
// r3c: kernel()
// r3c: buffer(in, in)
__global__ void k(float *out, const float *__restrict__ in, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = in[i];
}
