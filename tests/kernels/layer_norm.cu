// launch: 2 x 32
// arg: float* out 2000
// arg: float* in 2000
// arg: float* gain 40
// arg: int rows 50
// arg: int cols 40
// r3c: kernel(rtol=1e-4, atol=1e-4)
__global__ void layer_norm(float *out, const float *in, const float *gain, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float mean = 0.0f;
    for (int j = 0; j < cols; j++) mean += in[row * cols + j];
    mean = mean / cols;
    float var = 0.0f;
    for (int j = 0; j < cols; j++) {
      float d = in[row * cols + j] - mean;
      var += d * d;
    }
    float scale = 1.0f / sqrtf(var / cols + 1e-5f);
    for (int j = 0; j < cols; j++) {
      out[row * cols + j] = (in[row * cols + j] - mean) * scale * gain[j];
    }
  }
}
