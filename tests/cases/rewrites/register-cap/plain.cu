// step: register-cap{site=k,registers=64}
// r3c: kernel()
__global__ void k(float *a) {
  a[threadIdx.x] = 1.0f - 1.0f;
}
//== expect
// r3c: kernel()
__global__ void __maxnreg__(64) k(float *a) {
  a[threadIdx.x] = 1.0f - 1.0f;
}
