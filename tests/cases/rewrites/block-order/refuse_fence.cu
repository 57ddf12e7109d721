// step: block-order{site=k,order=yx}
// r3c: kernel(rtol=1e-5)
__global__ void k(float *a, int n) {
  a[blockIdx.y * n + blockIdx.x] = 1.0f;
  __threadfence();
}
//== refused 5:3 block-order refused: blocks may wait for each other here
