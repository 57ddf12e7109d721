// step: define{site=k/NONE,value=3}
// r3c: tune(STEPS: 2|4|8)
#define STEPS 2  // how many
// r3c: kernel()
__global__ void k(float *a) {
  for (int s = 0; s < STEPS; s++) a[threadIdx.x] += 1.0f;
}
//== refused 5:1 define refused: there is no site 'k/NONE'
// hint: sites here: k, k/decl:s, k/loop:s, k/param:a, k/stmt:1, k/stmt:2, k/stmt:3
