// step: block-order{site=k,order=yx}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *a, int n) {
  a[blockIdx.x] = 1.0f;
}
//== refused 3:36 block-order refused: it uses block indices along x, not along yx
