// step: early-loads{site=k/loop:j,most=4}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ b, int n, int w) {
  __shared__ float t[64];
  float s = 0.0f;
  for (int j = 0; j < w; j++) {
    __syncthreads();
    y[j] = y[j + 1];
  }
}
//== refused 7:5 early-loads refused: no load after it could be made before it
