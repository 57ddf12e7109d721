// step: define{site=k/STEPS,value=8}
// r3c: tune(STEPS: 2|4|8)
#define STEPS 2  // how many
// r3c: kernel()
__global__ void k(float *a) {
  for (int s = 0; s < STEPS; s++) a[threadIdx.x] += 1.0f;
}
//== expect
// r3c: tune(STEPS: 2|4|8)
#define STEPS 8  // how many
// r3c: kernel()
__global__ void k(float *a) {
  for (int s = 0; s < STEPS; s++) a[threadIdx.x] += 1.0f;
}
