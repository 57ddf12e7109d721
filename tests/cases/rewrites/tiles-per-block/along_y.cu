// step: tiles-per-block{site=k,count=2,axis=y}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < w) y[j * n + i] = a[j * n + i];
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  for (int turn = 0; turn < 2; turn++) {
    const unsigned int tile = blockIdx.y * 2 + turn;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = tile * blockDim.y + threadIdx.y;
    if (i < n && j < w) y[j * n + i] = a[j * n + i];
  }
}
//== launch indices_per_thread=1,2,1
