// step: loop-to-grid{site=k/loop:k,chunks=4}
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n, int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < depth; k++) {
    if (in[k] < 0.0f) continue;
    out[k * n + i] = in[i];
  }
}
//== expect
// r3c: kernel()
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n, int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int chunk = (depth + 3) / 4;
  const int first = blockIdx.z % 4 * chunk;
  const int last = first + chunk < depth ? first + chunk : depth;
  for (int k = first; k < last; k++) {
    if (in[k] < 0.0f) continue;
    out[k * n + i] = in[i];
  }
}
//== launch threads_per_index=1,1,4
