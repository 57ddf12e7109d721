// step: read-only-loads{site=k/param:in}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = in[i] + in[(i + 1) % n];
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = __ldg(&in[i]) + __ldg(&in[(i + 1) % n]);
}
