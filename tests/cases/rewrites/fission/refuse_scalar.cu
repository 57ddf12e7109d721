// step: fission{site=k/loop:i,at=1}
// r3c: kernel()
__global__ void k(float *__restrict__ a, float *__restrict__ b, int n) {
  float s = 0.0f;
  for (int i = 0; i < n; i++) {
    s += a[i];
    b[i] = s;
  }
}
//== refused 7:12 fission refused: both parts use `s`, and one writes it
