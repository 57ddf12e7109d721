// launch: 3,3 x 16,16
// arg: float* out 1600
// arg: float* in 1936
// arg: float* w 25
// arg: int width 40
// arg: int height 40
// r3c: kernel(rtol=1e-5, atol=1e-4)
__global__ void conv2d(float *__restrict__ out, const float *__restrict__ in, const float *__restrict__ w, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float acc = 0.0f;
  for (int ky = 0; ky < 5; ++ky) {
    for (int kx = 0; kx < 5; ++kx) {
      acc += in[(y + ky) * (width + 4) + x + kx] * w[ky * 5 + kx];
    }
  }
  out[y * width + x] = acc;
}
