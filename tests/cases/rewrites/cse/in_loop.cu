// step: cse{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *a, int width) {
  for (int i = 0; i < width; i++) {
    a[i * width + 1] = 1.0f;
    a[i * width + 2] = 2.0f;
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int width) {
  for (int i = 0; i < width; i++) {
    const auto common = i * width;
    a[common + 1] = 1.0f;
    a[common + 2] = 2.0f;
  }
}
