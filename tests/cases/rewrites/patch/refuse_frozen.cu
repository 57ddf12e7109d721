// step: patch{site=k/stmt:2,text=$1}
// r3c: kernel()
__global__ void k(float *a) {
  // r3c: freeze
  a[threadIdx.x] = 1.0f - 1.0f;
}
//== text
a[threadIdx.x] = 0.0f;
//== refused 5:3 patch refused: this is frozen by its annotation
