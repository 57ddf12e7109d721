// step: unroll{site=k/loop:i,factor=4}
// eol: crlf
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < n; i++ /* up */) {
    a[i] = 1.0f;  // set
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *a, int n) {
  #pragma unroll 4
  for (int i = 0; i < n; i++ /* up */) {
    a[i] = 1.0f;  // set
  }
}
