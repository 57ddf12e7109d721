// step: branch-to-predicate{site=k/stmt:3}
// r3c: kernel()
__global__ void k(float *a, int n) {
  __shared__ int first;
  if (threadIdx.x == 0) first = 0;
  __syncthreads();
  a[n] = first;
}
//== refused 5:25 branch-to-predicate refused: what it sets is not a local number
