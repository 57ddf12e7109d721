// step: vector-store{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n) {
  for (int i = 0; i < 4; i++) {
    out[n + i] = in[i];
    __syncthreads();
  }
}
//== refused 6:5 vector-store refused: threads work together here
