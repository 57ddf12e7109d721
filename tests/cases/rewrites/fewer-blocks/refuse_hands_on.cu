// step: fewer-blocks{site=k,factor=4,axis=x}
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  float s = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    s += a[i];
    y[i] = s;
  }
}
//== refused 4:9 fewer-blocks refused: `s` is handed from one turn to the next
