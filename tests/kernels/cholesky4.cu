// launch: 2 x 32
// arg: float* out 800
// arg: float* in 800
// arg: int n 50
// r3c: kernel(rtol=1e-3, atol=1e-4)
__global__ void cholesky4(float *out, const float *in, int n) {
  int m = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= n) return;
  float a[4][4];
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
      a[i][j] = in[m * 16 + i * 4 + j] + in[m * 16 + j * 4 + i] + (i == j ? 16.0f : 0.0f);
    }
  }
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j <= i; j++) {
      float s = a[i][j];
      for (int k = 0; k < j; k++) s -= a[i][k] * a[j][k];
      if (i == j) {
        a[i][i] = sqrtf(s);
      } else {
        a[i][j] = s / a[j][j];
      }
    }
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) out[m * 16 + i * 4 + j] = j <= i ? a[i][j] : 0.0f;
}
