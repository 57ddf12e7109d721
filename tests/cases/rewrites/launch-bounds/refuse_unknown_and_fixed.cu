// step: launch-bounds{site=k,threads=128,blocks=0}
// r3c: kernel()
__global__ void k(float *a) {
  a[threadIdx.x] = 0.0f;
}
//== refused 3:1 launch-bounds refused: the threads a block of its launches are not known, and the launch shape cannot change
// hint: threads=1024 is always right
