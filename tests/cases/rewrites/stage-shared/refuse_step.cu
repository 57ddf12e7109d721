// step: stage-shared{site=k/loop:j,size=128}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ a, const float *__restrict__ b, int n) {
  float s = 0.0f;
  for (int j = 0; j < n; j += 2) {
    s += a[j];
  }
  out[threadIdx.x] = s;
}
//== refused 5:3 stage-shared refused: it does not count in steps of 1 to below a bound
