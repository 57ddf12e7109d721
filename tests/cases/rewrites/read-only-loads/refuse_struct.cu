// step: read-only-loads{site=k/param:in}
struct Pair { float x, y; };
// r3c: kernel()
__global__ void k(float *__restrict__ out, const Pair *__restrict__ in, int n) {
  out[n] = in[n].x;
}
//== refused 4:44 read-only-loads refused: elements of type `Pair` have no read-only load that is known here
