// step: register-cap{site=k,registers=64},launch-bounds{site=k,threads=1024,blocks=0}
// r3c: kernel()
__global__ void k(float *a, int n) {
  a[n] = 1.0f;
}
//== refused 3:1 launch-bounds refused: a kernel has either launch bounds or a register cap
