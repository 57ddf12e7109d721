// step: lift{site=k/decl:tile,value=64}
// r3c: kernel()
__global__ void k(float *out, const float *in, int n) {
  __shared__ float tile[32];
  unsigned int i = threadIdx.x & 31u;
  for (int j = 0; j < 32u; j++) tile[j] = in[j + 7];
  out[i] = tile[i];
}
//== expect
// r3c: kernel()
__global__ void k(float *out, const float *in, int n) {
  __shared__ float tile[64];
  unsigned int i = threadIdx.x & 63u;
  for (int j = 0; j < 64u; j++) tile[j] = in[j + 7];
  out[i] = tile[i];
}
