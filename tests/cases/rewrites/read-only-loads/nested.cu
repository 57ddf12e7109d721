// step: read-only-loads{site=k/param:p}
// r3c: kernel()
__global__ void k(int *__restrict__ out, const int *__restrict__ p, int n) {
  out[0] = p[p[n]];
}
//== expect
// r3c: kernel()
__global__ void k(int *__restrict__ out, const int *__restrict__ p, int n) {
  out[0] = __ldg(&p[__ldg(&p[n])]);
}
