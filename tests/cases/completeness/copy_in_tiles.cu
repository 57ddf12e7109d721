// launch: 2 x 32
// arg: float* out 8192
// arg: float* in 8192
// arg: int n 10
// steps: loop-order{site=flip/loop:j,order=bab,size=8}
// r3c: kernel()
__global__ void flip(float *__restrict__ out, const float *__restrict__ in, int n) {
  int page = blockIdx.x * blockDim.x + threadIdx.x;
  if (page >= 64) return;
  for (int j = 0; j < 12; j++) {
    for (int i = 0; i < n; i++) {
      out[page * 128 + i * 12 + j] = in[page * 128 + i * 12 + j];
    }
  }
}
//== hand
__global__ void flip(float *__restrict__ out, const float *__restrict__ in, int n) {
  const int page = blockIdx.x * blockDim.x + threadIdx.x;
  if (page >= 64) return;
  for (int first = 0; first < n; first += 8) {
    const int last = min(first + 8, n);
    for (int j = 0; j < 12; j++)
      for (int i = first; i < last; i++) {
        const int at = page * 128 + i * 12 + j;
        out[at] = in[at];
      }
  }
}
