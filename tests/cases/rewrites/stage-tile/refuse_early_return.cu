// step: stage-tile{site=k/loop:k,size=32,x=64,y=1}
// r3c: kernel()
__global__ void k(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0.0f;
  for (int k = 0; k < n; k++) s += a[k];
  c[i] = s;
}
//== refused 7:3 stage-tile refused: not all threads of a block reach the loop together
// hint: guard-statements moves a bound check into the loop
