// step: unroll{site=k/loop:j,factor=2}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < n; i++) {
    a[i] = a[i] * 2.0f;
  }
}
//== refused 3:1 unroll refused: there is no site 'k/loop:j'
// hint: sites here: k, k/decl:i, k/loop:i, k/param:a, k/param:n, k/stmt:1, k/stmt:2, k/stmt:3, k/stmt:4
