// step: interchange{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *a, int n) {
  float t[4][8];
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 8; j++) t[i][j] = a[j * 4 + i];
  a[0] = t[1][2];
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  float t[4][8];
  for (int j = 0; j < 8; j++)
    for (int i = 0; i < 4; i++) t[i][j] = a[j * 4 + i];
  a[0] = t[1][2];
}
