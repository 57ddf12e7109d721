// step: lift{site=k/loop:j,value=8}
// r3c: kernel()
__global__ void k(float *out, const float *in, int n) {
  for (int j = 0; j < 8; j++) out[j + 8] = in[7];
}
//== expect
// r3c: kernel()
__global__ void k(float *out, const float *in, int n) {
  for (int j = 0; j < 8; j++) out[j + 8] = in[7];
}
