// step: stage-shared{site=k/loop:j,size=128}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, const float *__restrict__ b, int n) {
  float s = 0.0f;
  for (int j = 0; j < n; j++) {
    s += a[j];
    __syncthreads();
  }
  out[threadIdx.x] = s;
}
//== refused 7:5 stage-shared refused: threads work together here
