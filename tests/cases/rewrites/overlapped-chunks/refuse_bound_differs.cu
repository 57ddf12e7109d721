// step: overlapped-chunks{site=k/loop:k,chunks=4}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __shared__ float t[32];
  for (int k = 0; k < (int)threadIdx.x; k++) {
    __syncthreads();
    y[k * n + i] = a[k * n + i];
  }
}
//== refused 8:5 overlapped-chunks refused: threads wait here, and the loop's bound may differ between them
