// step: overlapped-chunks{site=k/loop:k,chunks=4}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float q[4];
  q[0] = q[1] = q[2] = q[3] = 0.0f;
  for (int k = 0; k < w; k++) {
    q[0] = q[1];
    q[1] = q[0];
    y[k * n + i] = q[0] + q[1];
  }
}
//== refused 9:5 overlapped-chunks refused: `q` is handed from one iteration to the next
