// step: launch-bounds{site=k,threads=256,blocks=0}
// r3c: kernel()
__global__ void k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.0f;
}

void run(float *a, int n) {
  k<<<n / 256, 256>>>(a, n);
}
//== expect
// r3c: kernel()
__global__ void __launch_bounds__(256) k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.0f;
}

void run(float *a, int n) {
  k<<<n / 256, 256>>>(a, n);
}
