// step: strength-reduce{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *a, int n, int w) {
  float s = 0.0f;
  for (int i = 0; i < n; i++) {
    s += a[i * w + 3];
  }
  a[0] = s;
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n, int w) {
  float s = 0.0f;
  auto place = 0 * w + 3;
  for (int i = 0; i < n; i++) {
    s += a[place];
    place += w;
  }
  a[0] = s;
}
