// step: const-restrict{site=k/param:in}
// r3c: kernel()
__global__ void k(float *out, float *in, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = in[i];
}
//== refused 3:31 const-restrict refused: nothing shows that `out` leads to other memory than `in`
// hint: say buffer(out, in) where the kernel only reads it
