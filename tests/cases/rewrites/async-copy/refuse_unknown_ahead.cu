// step: async-copy{site=k/loop:first,stages=2}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, int n) {
  int row = 0;
  __shared__ float tile[64];
  float s = 0.0f;
  for (int first = 0; first < n; first += 64) {
    __syncthreads();
    for (int t = threadIdx.x; t < 64 && first + t < n; t += blockDim.x) tile[t] = a[first + t + row];
    __syncthreads();
    row += (int)tile[0];
  }
  out[threadIdx.x] = s;
}
//== refused 9:97 async-copy refused: `row` is not known a tile ahead
