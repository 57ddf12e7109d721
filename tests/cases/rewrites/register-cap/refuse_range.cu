// step: register-cap{site=k,registers=8}
// r3c: kernel()
__global__ void k(float *a) {
  a[threadIdx.x] = 1.0f - 1.0f;
}
//== refused 3:1 register-cap refused: 8 registers are not 16 to 255
