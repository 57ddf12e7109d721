// step: tile{site=k/loop:i,size=16}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0, j = 1; i < n; i++) {
    a[i] = a[i] * 2.0f;
  }
}
//== refused 3:1 tile refused: there is no site 'k/loop:i'
// hint: sites here: k, k/decl:i, k/decl:j, k/loop:for, k/param:a, k/param:n, k/stmt:1, k/stmt:2, k/stmt:3, k/stmt:4
