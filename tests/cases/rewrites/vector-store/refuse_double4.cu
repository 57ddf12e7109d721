// step: vector-store{site=k/loop:i}
// r3c: kernel()
__global__ void k(double *__restrict__ out, const double *__restrict__ a, int n) {
  for (int i = 0; i < 4; i++) out[n + i] = a[i];
}
//== refused 4:31 vector-store refused: no iteration plainly writes the element after the one before it
