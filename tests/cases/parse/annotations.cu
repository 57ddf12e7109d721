// r3c: kernel(rtol=1e-5) buffer(a, inout)
__global__ void k(int *a, int n) {
  // r3c: loop(outer)
  for (int i = 0; i < n; i++) a[i] = i;
#pragma r3c loop(inner)
  for (int j = 0; j < n; j++) a[j] = j;
}
#pragma r3c kernel()
__global__ void l() {}
