// step: register-cap{site=k,registers=64}
// r3c: kernel()
__global__ void __launch_bounds__(128) k(float *a) {
  a[threadIdx.x] = 1.0f - 1.0f;
}
//== refused 3:17 register-cap refused: a kernel has either launch bounds or a register cap
