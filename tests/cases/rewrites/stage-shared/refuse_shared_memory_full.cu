// step: stage-shared{site=k/loop:j,size=1024}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, const float *__restrict__ b, int n) {
  __shared__ float big[11000];
  big[threadIdx.x] = 0.0f;
  float s = 0.0f;
  for (int j = 0; j < n; j++) {
    s += a[j] * b[j];
  }
  out[threadIdx.x] = s;
}
//== refused 7:3 stage-shared refused: 8192 bytes more of shared memory are more than a block can have
