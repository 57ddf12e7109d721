// step: patch{site=k/stmt:2,text=$1}
// r3c: kernel()
__global__ void k(float *a) {
  a[threadIdx.x] = 1.0f - 1.0f;
}
//== text
if (true) { a[0] = 1.0f;
//== refused 4:3 patch refused: its result cannot be read: refuse_open_bracket.cu: a kernel was lost
