// step: stage-shared{site=k/loop:i,size=128}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, int n) {
  float s = 0.0f;
  for (int i = 0; i < n; i++) {
    s += __ldg(&a[i]);
  }
  out[0] = s;
}
//== refused 5:31 stage-shared refused: no iteration reads the next element at a place that is the same in all threads
