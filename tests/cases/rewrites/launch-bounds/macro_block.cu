// step: launch-bounds{site=k,threads=64,blocks=0}
#define BLOCK 64
// r3c: kernel()
__global__ void k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.0f;
}

void run(float *a, int n) {
  k<<<n / BLOCK, BLOCK>>>(a, n);
}
//== expect
#define BLOCK 64
// r3c: kernel()
__global__ void __launch_bounds__(64) k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.0f;
}

void run(float *a, int n) {
  k<<<n / BLOCK, BLOCK>>>(a, n);
}
