// step: branch-to-predicate{site=k/stmt:3}
// r3c: kernel()
__global__ void k(float *a, int n) {
  float v = a[n];
  if (n > 4) v = n;
  a[n] = v;
}
//== refused 5:18 branch-to-predicate refused: its type is not known to be that of `v`
