// step: fuse{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *__restrict__ a, float *__restrict__ b, int n) {
  float s = 0.0f;
  for (int i = 0; i < n; i++) {
    s += a[i];
  }
  for (int j = 0; j < n; j++) {
    b[j] = s;
  }
}
//== refused 9:12 fuse refused: both loops use `s`, and one writes it
