// step: drop-barriers{site=k}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  __shared__ float t[3][64];
  int one = 0, two = 1, three = 2, help;
  for (int k = 2; k < n; k++) {
    help = one; one = two; two = three; three = help;
    y[k * 64 + threadIdx.x] = t[one][63 - threadIdx.x];
    __syncthreads();
    t[one][threadIdx.x] = a[k * 64 + threadIdx.x];
  }
}
//== refused 9:5 drop-barriers refused: another thread's `t[one][threadIdx.x]` may have to wait here
