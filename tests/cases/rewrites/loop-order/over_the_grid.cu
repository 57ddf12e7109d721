// step: loop-order{site=k/loop:i,order=Ba,size=16}
// r3c: kernel()
__global__ void k(float *__restrict__ c, const float *__restrict__ x, const float *__restrict__ y, int n) {
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < n; j++)
      c[j] += x[i * n + j];
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ c, const float *__restrict__ x, const float *__restrict__ y, int n) {
  const int chunk = (n + 15) / 16;
  const int first = blockIdx.z % 16 * chunk;
  const int last = first + chunk < n ? first + chunk : n;
  for (int j = first; j < last; j++)
    for (int i = 0; i < 4; i++)
      c[j] += x[i * n + j];
}
//== launch threads_per_index=1,1,16
