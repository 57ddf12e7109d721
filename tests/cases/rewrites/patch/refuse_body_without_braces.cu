// step: patch{site=k,text=$1}
// r3c: kernel()
__global__ void k(float *a) {
  a[threadIdx.x] = 1.0f - 1.0f;
}
//== text
a[threadIdx.x] = 0.0f;
//== refused 3:29 patch refused: the text for a whole body has to stand in braces
