// launch: 2,4 x 16,4
// arg: float* out 4096
// arg: float* in 4096
// arg: int nx 16
// arg: int ny 16
// arg: int nz 16
// r3c: kernel(rtol=1e-5, atol=1e-4)
__global__ void laplace3d(float *__restrict__ out, const float *__restrict__ in, int nx, int ny, int nz) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= nx || j >= ny) return;
  for (int k = 0; k < nz; k++) {
    int at = (k * ny + j) * nx + i;
    float value = in[at];
    if (i > 0 && i < nx - 1 && j > 0 && j < ny - 1 && k > 0 && k < nz - 1) {
      value = (in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx] + in[at - nx * ny] + in[at + nx * ny]) / 6.0f;
    }
    out[at] = value;
  }
}
