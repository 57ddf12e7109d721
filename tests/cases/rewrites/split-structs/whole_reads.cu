// step: split-structs{site=k/decl:p}
// r3c: kernel()
__global__ void k(float *out, const float4 *in, int n) {
  __shared__ float4 p[2][16];
  for (int i = threadIdx.x; i < 16; i += blockDim.x) p[0][i] = in[i];
  __syncthreads();
  float4 one = p[0][n], two;
  two = p[1][0];
  out[n] = one.x + two.w + p[0][1].z;
}
//== expect
// r3c: kernel()
__global__ void k(float *out, const float4 *in, int n) {
  __shared__ float p_x[2][16];
  __shared__ float p_y[2][16];
  __shared__ float p_z[2][16];
  __shared__ float p_w[2][16];
  for (int i = threadIdx.x; i < 16; i += blockDim.x) { p_x[0][i] = in[i].x; p_y[0][i] = in[i].y; p_z[0][i] = in[i].z; p_w[0][i] = in[i].w; }
  __syncthreads();
  float4 one = make_float4(p_x[0][n], p_y[0][n], p_z[0][n], p_w[0][n]), two;
  two = make_float4(p_x[1][0], p_y[1][0], p_z[1][0], p_w[1][0]);
  out[n] = one.x + two.w + p_z[0][1];
}
