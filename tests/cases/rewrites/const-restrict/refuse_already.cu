// step: const-restrict{site=k/param:in}
// r3c: kernel()
__global__ void k(float *out, const float *__restrict__ in, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = in[i];
}
//== refused 3:31 const-restrict refused: `in` is declared __restrict__ already
