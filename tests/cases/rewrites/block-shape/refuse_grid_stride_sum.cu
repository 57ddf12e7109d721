// step: block-shape{site=k,x=64,y=1,z=1}
// r3c: kernel()
__global__ void k(int *s, const int *a, int n) {
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += a[i];
  atomicAdd(s, sum);
}
//== refused 5:67 block-shape refused: the number of threads along x decides more here than a loop's stride
// hint: say geometry(cover) where any shape that covers the same indices is right
