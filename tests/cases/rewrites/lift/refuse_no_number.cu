// step: lift{site=k/loop:j,value=8}
// r3c: kernel()
__global__ void k(float *out, const float *in, int n) {
  for (int j = 0; j < n; j++) out[j] = in[7];
}
//== refused 4:3 lift refused: its head has no whole number of at least 4
