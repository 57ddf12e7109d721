// step: unroll{site=k/loop:i,factor=2,how=text}
#define AT(x, y) ((x) * 4 + (y))
#define TWO 2.0f
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < n; i++) {
    a[AT(i, 2)] = TWO;
  }
}
//== expect
#define AT(x, y) ((x) * 4 + (y))
#define TWO 2.0f
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i + 1 < n; i += 2) {
    {
      a[AT(i, 2)] = TWO;
    }
    {
      a[AT((i + 1), 2)] = TWO;
    }
  }
  for (int i = n / 2 * 2; i < n; i++) {
    a[AT(i, 2)] = TWO;
  }
}
