// step: local-array-to-registers{site=k/decl:t}
__device__ void act(float *p);
// r3c: kernel()
__global__ void k(float *a, int n) {
  float t[2];
  act(t);
  a[0] = t[0];
}
//== refused 6:7 local-array-to-registers refused: `t` is used here without all its subscripts
