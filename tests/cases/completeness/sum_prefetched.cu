// launch: 2 x 32
// arg: float* out 64
// arg: float* in 2560
// arg: int rows 60
// arg: int cols 40
// steps: unroll{site=total/loop:j,factor=2},prefetch{site=total/loop:j}
// r3c: kernel()
__global__ void total(float *__restrict__ out, const float *__restrict__ in, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  float s = 0.0f;
  for (int j = 0; j < cols; j++) {
    s += in[j * rows + i] * 0.5f;
  }
  out[i] = s;
}
//== hand
__global__ void total(float *__restrict__ out, const float *__restrict__ in, int rows, int cols) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= rows) return;
  float sum = 0.0f;
  float coming = cols > 0 ? in[column] : 0;
#pragma unroll 2
  for (int j = 1; j <= cols; j++) {
    const float here = coming;
    if (j < cols) coming = in[j * rows + column];
    sum += here * 0.5f;
  }
  out[column] = sum;
}
