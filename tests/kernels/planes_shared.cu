// launch: 2,3 x 16,4
// arg: float* out 4320
// arg: float* in 4320
// arg: int nx 30
// arg: int ny 12
// arg: int nz 12
#define W 16
#define H 4
#define ROW (W + 2)
#define PLANE (W + 2) * (H + 2)
#define AT(i, j, row) (i + (j) * (row))
// r3c: kernel(rtol=1e-5)
__global__ void planes_shared(float *__restrict__ out, const float *__restrict__ in, int nx, int ny, int nz) {
  __shared__ float u[3 * PLANE];
  int i = threadIdx.x, j = threadIdx.y, k, here, halo_here, place, halo_place, now, border;
  float value;
  k = i + j * W;
  border = k < 2 * (W + H + 2);
  halo_here = 0;
  halo_place = 0;
  if (border) {
    int x, y;
    if (k < 2 * W) {
      x = k % W;
      y = k / W * (H + 1) - 1;
    } else {
      x = (k % 2) * (W + 1) - 1;
      y = (k - 2 * W) / 2 - 1;
    }
    if (y > H) y = H;
    halo_here = AT(x + 1, y + 1, ROW) + PLANE;
    x = AT(x, blockIdx.x, W);
    y = AT(y, blockIdx.y, H);
    halo_place = AT(x, y, nx);
    border = x >= 0 && x < nx && y >= 0 && y < ny;
  }
  here = AT(i + 1, j + 1, ROW) + PLANE;
  i = AT(i, blockIdx.x, W);
  j = AT(j, blockIdx.y, H);
  place = AT(i, j, nx);
  const int active = i < nx && j < ny;
  if (active) u[here + PLANE] = in[place];
  if (border) u[halo_here + PLANE] = in[halo_place];
  for (k = 0; k < nz; k++) {
    if (active) {
      now = place;
      place = AT(place, ny, nx);
      u[here - PLANE] = u[here];
      u[here] = u[here + PLANE];
      if (k < nz - 1) u[here + PLANE] = in[place];
    }
    if (border) {
      halo_place = AT(halo_place, ny, nx);
      u[halo_here - PLANE] = u[halo_here];
      u[halo_here] = u[halo_here + PLANE];
      if (k < nz - 1) u[halo_here + PLANE] = in[halo_place];
    }
    __syncthreads();
    if (active) {
      if (i == 0 || i == nx - 1 || j == 0 || j == ny - 1 || k == 0 || k == nz - 1) {
        value = u[here];
      } else {
        value = (u[here - 1] + u[here + 1] + u[here - ROW] + u[here + ROW] + u[here - PLANE] + u[here + PLANE]) / 6.0f;
      }
      out[now] = value;
    }
    __syncthreads();
  }
}
