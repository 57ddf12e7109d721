// launch: 4,4 x 16,16
// arg: float* out 3600
// arg: float* in 3600
// arg: int w 60
// arg: int h 60
// steps: stage-halo{site=jacobi/param:in,x=32,y=8}
// r3c: kernel()
__global__ void jacobi(float *__restrict__ out, const float *__restrict__ in, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1) {
    out[y * w + x] = 0.25f * (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x]);
  }
}
//== hand block=32,8,1
__global__ void jacobi(float *__restrict__ out, const float *__restrict__ in, int w, int h) {
  __shared__ float tile[10][34];
  const int x0 = blockIdx.x * 32 - 1, y0 = blockIdx.y * 8 - 1;
  for (int e = threadIdx.y * 32 + threadIdx.x; e < 340; e += 256) {
    const int x = x0 + e % 34, y = y0 + e / 34;
    if (x >= 0 && x < w && y >= 0 && y < h) tile[e / 34][e % 34] = in[y * w + x];
  }
  __syncthreads();
  const int x = x0 + 1 + threadIdx.x, y = y0 + 1 + threadIdx.y, i = threadIdx.x + 1, j = threadIdx.y + 1;
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1) {
    out[y * w + x] = 0.25f * (tile[j][i - 1] + tile[j][i + 1] + tile[j - 1][i] + tile[j + 1][i]);
  }
}
