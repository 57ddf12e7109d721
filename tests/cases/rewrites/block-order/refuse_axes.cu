// step: block-order{site=k,order=zyx}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *a, int n) {
  a[blockIdx.y * n + blockIdx.x] = 1.0f;
}
//== refused 3:36 block-order refused: it uses block indices along xy, not along zyx
