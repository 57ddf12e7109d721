// step: block-order{site=k,order=yx}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *a, int n) {
  a[blockIdx.y * n + blockIdx.x] = 1.0f;
  other(a);
}
//== refused 5:3 block-order refused: what this does is not known
