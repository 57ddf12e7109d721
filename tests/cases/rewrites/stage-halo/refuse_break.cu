// step: stage-halo{site=k/param:in,x=64,y=1}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= w) return;
  float s = 0.0f;
  for (int d = 0; d < 4; d++) {
    if (s > 1.0f) break;
    s += in[i + d];
  }
  out[i] = s;
}
//== refused 3:44 stage-halo refused: no two loads of `in` lie at fixed distances from each other under the same simple check
