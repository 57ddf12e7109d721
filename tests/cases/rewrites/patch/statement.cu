// step: patch{site=k/stmt:2,text=$1}
// r3c: kernel()
__global__ void k(float *a) {
  a[threadIdx.x] = 1.0f - 1.0f;
}
//== text
a[threadIdx.x] = 0.0f;
//== expect
// r3c: kernel()
__global__ void k(float *a) {
  a[threadIdx.x] = 0.0f;
}
