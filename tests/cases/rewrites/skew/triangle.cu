// step: skew{site=k/loop:j,factor=2}
// r3c: kernel()
__global__ void k(float *a, int h, int w) {
  for (int i = 0; i < h; i++)
    for (int j = i; j <= w - 1; j += 3) a[j] += a[i * w + j];
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int h, int w) {
  for (int i = 0; i < h; i++)
    for (int j = i + 2 * i; j <= (w - 1) + 2 * i; j += 3) a[j - 2 * i] += a[i * w + (j - 2 * i)];
}
