// step: stage-shared{site=k/loop:j,size=128}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, const float *__restrict__ b, int n) {
  float s = 0.0f;
  for (int j = 0; j < threadIdx.x; j++) {
    s += a[j];
  }
  out[threadIdx.x] = s;
}
//== refused 5:23 stage-shared refused: this may differ between the threads of a block
