// step: register-tile{site=k,factor=4,axis=y,order=neighbours}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ x, int h, int w) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < h && col < w) y[row * w + col] = 0.0f;
  float s = 0.0f;
  for (int j = 0; j < w; j++) {
    if (row < h && col < w) s += a[row * w + j] * x[col];
  }
  if (row < h && col < w) y[row * w + col] = s;
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ x, int h, int w) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * (blockDim.y * 4) + (threadIdx.y * 4);
  int row_1 = blockIdx.y * (blockDim.y * 4) + (threadIdx.y * 4 + 1);
  int row_2 = blockIdx.y * (blockDim.y * 4) + (threadIdx.y * 4 + 2);
  int row_3 = blockIdx.y * (blockDim.y * 4) + (threadIdx.y * 4 + 3);
  if (row < h && col < w) y[row * w + col] = 0.0f;
  if (row_1 < h && col < w) y[row_1 * w + col] = 0.0f;
  if (row_2 < h && col < w) y[row_2 * w + col] = 0.0f;
  if (row_3 < h && col < w) y[row_3 * w + col] = 0.0f;
  float s = 0.0f;
  float s_1 = 0.0f;
  float s_2 = 0.0f;
  float s_3 = 0.0f;
  for (int j = 0; j < w; j++) {
    if (row < h && col < w) s += a[row * w + j] * x[col];
    if (row_1 < h && col < w) s_1 += a[row_1 * w + j] * x[col];
    if (row_2 < h && col < w) s_2 += a[row_2 * w + j] * x[col];
    if (row_3 < h && col < w) s_3 += a[row_3 * w + j] * x[col];
  }
  if (row < h && col < w) y[row * w + col] = s;
  if (row_1 < h && col < w) y[row_1 * w + col] = s_1;
  if (row_2 < h && col < w) y[row_2 * w + col] = s_2;
  if (row_3 < h && col < w) y[row_3 * w + col] = s_3;
}
//== launch indices_per_thread=1,4,1
