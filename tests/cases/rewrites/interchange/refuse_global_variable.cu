// step: interchange{site=k/loop:i}
__device__ float last;
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      last = a[i * n + j] - last;
    }
  }
}
//== refused 7:7 interchange refused: this and `a[i * n + j]` may meet in two iterations whose order turns round
