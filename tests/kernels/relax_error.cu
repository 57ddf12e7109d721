// launch: 4,4 x 8,8
// arg: float* next 1024
// arg: float* old 1024
// arg: float* error 1
#define N 32
#define IDX(i, j) ((i) + (j) * N)
// r3c: kernel(rtol=1e-4, atol=1e-5)
__global__ void relax_error(float *__restrict__ next, const float *__restrict__ old, float *__restrict__ error) {
  __shared__ float tile[10][10];
  __shared__ float part[64];
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  int j = threadIdx.y + blockIdx.y * blockDim.y;
  tile[threadIdx.y + 1][threadIdx.x + 1] = old[IDX(i, j)];
  if (threadIdx.x == 0 && i >= 1) {
    tile[threadIdx.y + 1][threadIdx.x] = old[IDX(i - 1, j)];
  }
  if (threadIdx.x == 7 && i <= N - 2) tile[threadIdx.y + 1][threadIdx.x + 2] = old[IDX(i + 1, j)];
  if (threadIdx.y == 0 && j >= 1) tile[threadIdx.y][threadIdx.x + 1] = old[IDX(i, j - 1)];
  if (threadIdx.y == 7 && j <= N - 2) tile[threadIdx.y + 2][threadIdx.x + 1] = old[IDX(i, j + 1)];
  __syncthreads();
  float change = 0.0f;
  if (j >= 1 && j <= N - 2) {
    if (i >= 1 && i <= N - 2) {
      float value = 0.25f * (tile[threadIdx.y + 1][threadIdx.x] + tile[threadIdx.y + 1][threadIdx.x + 2] +
                             tile[threadIdx.y][threadIdx.x + 1] + tile[threadIdx.y + 2][threadIdx.x + 1]);
      next[IDX(i, j)] = value;
      float difference = value - tile[threadIdx.y + 1][threadIdx.x + 1];
      change = difference * difference;
    }
  }
  part[threadIdx.y * 8 + threadIdx.x] = change;
  __syncthreads();
  for (int apart = 32; apart > 0; apart /= 2) {
    if (threadIdx.y * 8 + threadIdx.x < apart) {
      part[threadIdx.y * 8 + threadIdx.x] += part[threadIdx.y * 8 + threadIdx.x + apart];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0 && threadIdx.y == 0) atomicAdd(error, part[0]);
}
