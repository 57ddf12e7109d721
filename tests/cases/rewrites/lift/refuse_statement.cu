// step: lift{site=k/stmt:1,value=32}
// r3c: kernel()
__global__ void k(float *out, const float *in, int n) {
  out[0] = in[16];
}
//== refused 3:55 lift refused: its head has no whole number of at least 4
