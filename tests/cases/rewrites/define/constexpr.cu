// step: define{site=k/STEPS,value=4}
// r3c: tune(STEPS: 2|4|8)
constexpr int STEPS = 2;
// r3c: kernel()
__global__ void k(float *a) {
  for (int s = 0; s < STEPS; s++) a[threadIdx.x] += 1.0f;
}
//== expect
// r3c: tune(STEPS: 2|4|8)
constexpr int STEPS = 4;
// r3c: kernel()
__global__ void k(float *a) {
  for (int s = 0; s < STEPS; s++) a[threadIdx.x] += 1.0f;
}
