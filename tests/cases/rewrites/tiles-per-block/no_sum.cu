// step: tiles-per-block{site=k,count=4,axis=x}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = a[i];
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  for (int turn = 0; turn < 4; turn++) {
    const unsigned int tile = blockIdx.x * 4 + turn;
    int i = tile * blockDim.x + threadIdx.x;
    if (i >= n) continue;
    y[i] = a[i];
  }
}
//== launch indices_per_thread=4,1,1
