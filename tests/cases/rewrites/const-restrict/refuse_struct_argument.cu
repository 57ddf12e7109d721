// step: const-restrict{site=k/param:a}
struct View { float *p; };
// r3c: kernel()
__global__ void k(float *a, int n, View v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.0f;
}
//== refused 4:36 const-restrict refused: `v` may hold a pointer to the memory of `a`
