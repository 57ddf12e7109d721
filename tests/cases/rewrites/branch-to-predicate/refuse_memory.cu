// step: branch-to-predicate{site=k/stmt:3}
// r3c: kernel()
__global__ void k(float *a, int n) {
  float v = a[n];
  if (n > 4) a[0] = v;
}
//== refused 5:14 branch-to-predicate refused: the branch does more than set one local
