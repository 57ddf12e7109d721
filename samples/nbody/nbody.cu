// Gravity among n bodies: every thread sums the pull of all others on one body, tile by tile.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                       \
  do {                                                                                    \
    cudaError_t status = (call);                                                          \
    if (status != cudaSuccess) {                                                          \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status));     \
      exit(1);                                                                            \
    }                                                                                     \
  } while (0)

#define BODIES 128

// r3c: kernel(rtol=1e-4, atol=1e-6)
// r3c: buffer(position, in) buffer(acceleration, out)
__global__ void accelerate(const float4 *position, float4 *acceleration, int n, float softening) {
  __shared__ float4 tile[BODIES];
  int i = blockIdx.x * BODIES + threadIdx.x;
  float4 own = i < n ? position[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
  // r3c: loop(tiles)
  for (int start = 0; start < n; start += BODIES) {
    int other = start + threadIdx.x;
    tile[threadIdx.x] = other < n ? position[other] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    __syncthreads();
    // r3c: loop(bodies)
    for (int j = 0; j < BODIES; j++) {
      float dx = tile[j].x - own.x;
      float dy = tile[j].y - own.y;
      float dz = tile[j].z - own.z;
      float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
      float pull = tile[j].w * inverse * inverse * inverse;
      ax += dx * pull;
      ay += dy * pull;
      az += dz * pull;
    }
    __syncthreads();
  }
  if (i < n) acceleration[i] = make_float4(ax, ay, az, 0.0f);
}

// r3c: kernel(rtol=1e-5, atol=1e-7)
// r3c: buffer(position, inout) buffer(velocity, inout) buffer(acceleration, in)
// r3c: geometry(cover)
// r3c: tune(block_size_x: 32|64|128|256)
__global__ void advance(float4 *position, float4 *velocity, const float4 *acceleration, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 v = velocity[i], a = acceleration[i], p = position[i];
  v.x += a.x * dt;
  v.y += a.y * dt;
  v.z += a.z * dt;
  p.x += v.x * dt;
  p.y += v.y * dt;
  p.z += v.z * dt;
  velocity[i] = v;
  position[i] = p;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1024;
  const int steps = argc > 2 ? atoi(argv[2]) : 5;
  const float softening = 1e-2f, dt = 1e-3f;
  const size_t bytes = n * sizeof(float4);
  std::vector<float4> position(n), velocity(n, make_float4(0, 0, 0, 0)), result(n);
  for (int i = 0; i < n; i++) {
    position[i] = make_float4((float)(i * 7919 % 1009) / 1009.0f, (float)(i * 104729 % 997) / 997.0f,
                              (float)(i * 1299709 % 991) / 991.0f, 1.0f / n);
  }
  float4 *dp, *dv, *da;
  CHECK(cudaMalloc(&dp, bytes));
  CHECK(cudaMalloc(&dv, bytes));
  CHECK(cudaMalloc(&da, bytes));
  CHECK(cudaMemcpy(dp, position.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dv, velocity.data(), bytes, cudaMemcpyHostToDevice));

  cudaEvent_t first, last;
  CHECK(cudaEventCreate(&first));
  CHECK(cudaEventCreate(&last));
  CHECK(cudaEventRecord(first));
  for (int step = 0; step < steps; step++) {
    accelerate<<<(n + BODIES - 1) / BODIES, BODIES>>>(dp, da, n, softening);
    advance<<<(n + 127) / 128, 128>>>(dp, dv, da, n, dt);
    CHECK(cudaGetLastError());
  }
  CHECK(cudaEventRecord(last));
  CHECK(cudaEventSynchronize(last));
  float ms = 0.0f;
  CHECK(cudaEventElapsedTime(&ms, first, last));
  CHECK(cudaMemcpy(result.data(), dp, bytes, cudaMemcpyDeviceToHost));

  std::vector<double> px(n), py(n), pz(n), vx(n), vy(n), vz(n);
  for (int i = 0; i < n; i++) px[i] = position[i].x, py[i] = position[i].y, pz[i] = position[i].z;
  for (int step = 0; step < steps; step++) {
    std::vector<double> ax(n), ay(n), az(n);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        const double dx = px[j] - px[i], dy = py[j] - py[i], dz = pz[j] - pz[i];
        const double inverse = 1.0 / std::sqrt(dx * dx + dy * dy + dz * dz + softening);
        const double pull = position[j].w * inverse * inverse * inverse;
        ax[i] += dx * pull, ay[i] += dy * pull, az[i] += dz * pull;
      }
    }
    for (int i = 0; i < n; i++) {
      vx[i] += ax[i] * dt, vy[i] += ay[i] * dt, vz[i] += az[i] * dt;
      px[i] += vx[i] * dt, py[i] += vy[i] * dt, pz[i] += vz[i] * dt;
    }
  }
  double worst = 0.0, centre = 0.0;
  for (int i = 0; i < n; i++) {
    worst = std::fmax(worst, std::fabs(result[i].x - px[i]) + std::fabs(result[i].y - py[i]) + std::fabs(result[i].z - pz[i]));
    centre += result[i].x + result[i].y + result[i].z;
  }
  printf("nbody %d bodies, %d steps\n", n, steps);
  printf("centre %.6f first %.6f\n", centre / (3.0 * n), result[0].x);
  printf("%s\n", worst < 1e-5 ? "PASS" : "FAIL");
  printf("time %.3f ms\n", ms);
  CHECK(cudaFree(dp));
  CHECK(cudaFree(dv));
  CHECK(cudaFree(da));
  return worst < 1e-5 ? 0 : 1;
}
