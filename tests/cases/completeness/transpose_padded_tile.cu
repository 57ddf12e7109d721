// launch: 3,3 x 16,16
// arg: float* out 2304
// arg: float* in 2304
// arg: int n 48
// steps: const-restrict{site=transpose/param:in},pad-shared{site=transpose/decl:tile,pad=1},swizzle{site=transpose,rows=8,order=columns}
// r3c: kernel()
// r3c: buffer(in, in)
// r3c: buffer(out, out)
__global__ void transpose(float *out, float *in, int n) {
  __shared__ float tile[16][16];
  tile[threadIdx.y][threadIdx.x] = in[(blockIdx.y * 16 + threadIdx.y) * n + blockIdx.x * 16 + threadIdx.x];
  __syncthreads();
  out[(blockIdx.x * 16 + threadIdx.y) * n + blockIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
//== hand
__global__ void transpose(float *out, const float *__restrict__ in, int n) {
  __shared__ float block[16][17];
  const unsigned rank = blockIdx.y * gridDim.x + blockIdx.x, strip = 8 * gridDim.x, top = rank / strip * 8;
  const unsigned tall = min(8u, gridDim.y - top), bx = rank % strip / tall, by = top + rank % strip % tall;
  const int x = threadIdx.x, y = threadIdx.y;
  block[y][x] = in[(by * 16 + y) * n + bx * 16 + x];
  __syncthreads();
  out[(bx * 16 + y) * n + by * 16 + x] = block[x][y];
}
