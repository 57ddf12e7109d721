// step: stage-shared{site=k/loop:j,size=128}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, const float *__restrict__ b, int n) {
  if (threadIdx.x > 3) return;
  float s = 0.0f;
  for (int j = 0; j < n; j++) {
    s += a[j];
  }
  out[threadIdx.x] = s;
}
//== refused 6:3 stage-shared refused: not all threads of a block reach the loop together
