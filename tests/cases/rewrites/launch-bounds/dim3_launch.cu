// step: launch-bounds{site=k,threads=256,blocks=2}
// r3c: kernel()
__global__ void k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.0f;
}

void run(float *a, int n) {
  dim3 block(16, 16);
  k<<<n / 256, block>>>(a, n);
}
//== expect
// r3c: kernel()
__global__ void __launch_bounds__(256, 2) k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.0f;
}

void run(float *a, int n) {
  dim3 block(16, 16);
  k<<<n / 256, block>>>(a, n);
}
