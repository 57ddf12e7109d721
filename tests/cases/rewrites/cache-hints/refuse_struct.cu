// step: cache-hints{site=k/param:in,hint=streaming}
struct Pair { float x, y; };
// r3c: kernel()
__global__ void k(float *out, const Pair *in, int n) {
  out[n] = in[n].x;
}
//== refused 4:31 cache-hints refused: elements of type `Pair` have no hinted access that is known here
