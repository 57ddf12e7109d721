// step: loop-to-grid{site=k/loop:k,chunks=4}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n, int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 1; k < depth - 1; k++) {
    out[k * n + i] = in[k * n + i];
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n, int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int chunk = ((depth - 1) - 1 + 3) / 4;
  const int first = 1 + blockIdx.z % 4 * chunk;
  const int last = first + chunk < (depth - 1) ? first + chunk : depth - 1;
  for (int k = first; k < last; k++) {
    out[k * n + i] = in[k * n + i];
  }
}
//== launch threads_per_index=1,1,4
