// launch: 2 x 32
// arg: float* a 2000
// arg: float* norm 50
// arg: int rows 50
// arg: int cols 40
// steps: const-restrict{site=normalise/param:norm},invariant-out{site=normalise/loop:j},reciprocal{site=normalise/loop:j},unroll{site=normalise/loop:j,factor=4}
// r3c: kernel(rtol=1e-5)
// r3c: buffer(norm, in)
__global__ void normalise(float *a, const float *norm, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  float d = norm[i];
  for (int j = 0; j < cols; j++) {
    a[i * cols + j] = a[i * cols + j] / (d * d + 1.0f);
  }
}
//== hand
__global__ void normalise(float *a, const float *__restrict__ norm, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float length = norm[row];
  const float square = length * length + 1.0f;
  const float scale = 1.0f / square;
#pragma unroll 4
  for (int at = row * cols; at < (row + 1) * cols; at++) a[at] = a[at] * scale;
}
