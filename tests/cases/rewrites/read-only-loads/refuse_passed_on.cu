// step: read-only-loads{site=k/param:in}
__device__ void act(const float *p);
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n) {
  act(in);
  out[n] = in[0];
}
//== refused 5:3 read-only-loads refused: what this does with `in` is not known
