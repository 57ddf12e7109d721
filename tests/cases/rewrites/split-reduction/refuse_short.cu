// step: split-reduction{site=k/loop:i,ways=2}
// r3c: kernel()
__global__ void k(int *a) {
  int s = 0;
  for (int i = 0; i < 3; i++) s += a[i];
  a[0] = s;
}
//== refused 5:3 split-reduction refused: the loop runs too few times for 2 sums
