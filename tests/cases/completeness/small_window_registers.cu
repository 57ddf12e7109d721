// launch: 4 x 64
// arg: float* out 250
// arg: float* in 1000
// arg: int n 250
// steps: unroll-full{site=window/loop:j},unroll-full{site=window/loop:j},local-array-to-registers{site=window/decl:w}
// r3c: kernel()
__global__ void window(float *__restrict__ out, const float *__restrict__ in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float w[3];
  for (int j = 0; j < 3; j++) w[j] = in[i * 4 + j];
  float s = 0.0f;
  for (int j = 0; j < 3; j++) s += w[j] * w[2 - j];
  out[i] = s;
}
//== hand
__global__ void window(float *__restrict__ out, const float *__restrict__ in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x, y, z;
  x = in[4 * i];
  y = in[4 * i + 1];
  z = in[4 * i + 2];
  float sum = 0.0f;
  sum += x * z;
  sum += y * y;
  sum += z * x;
  out[i] = sum;
}
