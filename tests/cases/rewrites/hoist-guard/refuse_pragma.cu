// step: hoist-guard{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *__restrict__ a, const float *__restrict__ b, int n, int m) {
  #pragma unroll
  for (int i = 0; i < 4; i++)
    if (i + m < n) a[i + m] = 0.0f;
}
//== refused 5:3 hoist-guard refused: a pragma belongs to the loop
