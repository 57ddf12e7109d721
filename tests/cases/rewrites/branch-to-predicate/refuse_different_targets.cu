// step: branch-to-predicate{site=k/stmt:3}
// r3c: kernel()
__global__ void k(float *a, int n) {
  float v = a[n], u = 0.0f;
  if (n > 4) v = 1.0f; else u = 1.0f;
  a[n] = v + u;
}
//== refused 5:29 branch-to-predicate refused: the other branch does not set `v`
