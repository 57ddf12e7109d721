// step: lift{site=k/decl:tile,value=8192}
// r3c: kernel()
__global__ void k(float *out, const float *in, int n) {
  __shared__ float tile[32];
  out[0] = tile[0];
}
//== refused 4:20 lift refused: 8192 is no whole number from 1 to 4096
