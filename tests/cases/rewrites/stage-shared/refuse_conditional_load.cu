// step: stage-shared{site=k/loop:j,size=128}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, const float *__restrict__ b, int n) {
  float s = 0.0f;
  for (int j = 0; j < n; j++) {
    s += s > 0.0f ? a[j] : 1.0f;
  }
  out[threadIdx.x] = s;
}
//== refused 5:31 stage-shared refused: no iteration reads the next element at a place that is the same in all threads
