// step: block-shape{site=k,x=32,y=8,z=1}
// r3c: kernel()
__global__ void k(float *a, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) a[y * w + x] = 0.0f;
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) a[y * w + x] = 0.0f;
}
//== launch block=32,8,1
