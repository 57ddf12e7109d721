// step: read-only-loads{site=k/param:in}
// r3c: kernel()
__global__ void k(float *out, const float *in, int n) {
  out[n] = in[n];
}
//== refused 3:31 read-only-loads refused: another pointer may write what `in` leads to
// hint: say buffer(in, in), or use const-restrict first
