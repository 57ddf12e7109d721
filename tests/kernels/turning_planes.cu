// launch: 2,3,1 x 8,8
// arg: double* out 3456
// arg: double* in 3456
// arg: double* weight 3456
// arg: int nx 12
// arg: int ny 18
// arg: int nz 16
#define SIZE 8
typedef double Real;
// r3c: kernel(rtol=1e-9, atol=1e-9)
__global__ void turning_planes(Real *__restrict__ out, const Real *__restrict__ in, const Real *__restrict__ weight,
                               int nx, int ny, int nz) {
  __shared__ Real plane[4][SIZE][SIZE];
#define OLD(y, z) plane[before][y][z]
#define NOW(y, z) plane[here][y][z]
#define NEW(y, z) plane[after][y][z]
#define IN(x, y, z) in[z + nz * ((y) + ny * (x))]
#define OUT(x, y, z) out[z + nz * ((y) + ny * (x))]
#define WEIGHT(x, y, z) weight[z + nz * ((y) + ny * (x))]
  const int tz = threadIdx.x;
  const int ty = threadIdx.y;
  in = &(IN(0, (SIZE - 2) * blockIdx.y, (SIZE - 2) * blockIdx.x));
  out = &(OUT(0, (SIZE - 2) * blockIdx.y, (SIZE - 2) * blockIdx.x));
  weight = &(WEIGHT(0, (SIZE - 2) * blockIdx.y, (SIZE - 2) * blockIdx.x));
  int last_y = SIZE - 1, last_z = SIZE - 1;
  if (blockIdx.y == gridDim.y - 1) last_y = ny - 2 - (SIZE - 2) * blockIdx.y + 1;
  if (blockIdx.x == gridDim.x - 1) last_z = nz - 2 - (SIZE - 2) * blockIdx.x + 1;
  if (last_y > SIZE - 1) last_y = SIZE - 1;
  if (last_z > SIZE - 1) last_z = SIZE - 1;
  const int inside = ty <= last_y && tz <= last_z;
  int before, here, after, help;
  before = 0;
  here = 1;
  after = 2;
  plane[before][ty][tz] = inside ? IN(0, ty, tz) : 0.0;
  plane[here][ty][tz] = inside ? IN(1, ty, tz) : 0.0;
  Real sum = 0, flow;
  for (int x = 1; x < nx - 1; x++) {
    plane[after][ty][tz] = inside ? IN(x + 1, ty, tz) : 0.0;
    __syncthreads();
    if (tz > 0 && tz < last_z && ty < last_y) {
      flow = WEIGHT(x, ty + 1, tz) * (NOW(ty + 1, tz) - NOW(ty, tz));
      sum = sum + flow;
      plane[3][ty][tz] = flow;
    }
    __syncthreads();
    if (tz > 0 && tz < last_z && ty > 0 && ty < last_y) sum = sum - plane[3][ty - 1][tz];
    __syncthreads();
    if (tz > 0 && tz < last_z && ty > 0 && ty < last_y) {
      flow = WEIGHT(x + 1, ty, tz) * (NEW(ty, tz) - OLD(ty, tz - 1));
      OUT(x, ty, tz) = sum + flow;
      sum = -flow;
    }
    __syncthreads();
    help = before;
    before = here;
    here = after;
    after = help;
  }
}
