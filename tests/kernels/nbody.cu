// launch: 2 x 64
// arg: float* ax 100
// arg: float* ay 100
// arg: float* px 100
// arg: float* py 100
// arg: float* mass 100
// arg: int n 100
// r3c: kernel(rtol=1e-3, atol=1e-4)
__global__ void nbody(float *__restrict__ ax, float *__restrict__ ay, const float *__restrict__ px,
                      const float *__restrict__ py, const float *__restrict__ mass, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float fx = 0.0f, fy = 0.0f;
  for (int j = 0; j < n; j++) {
    float dx = px[j] - px[i];
    float dy = py[j] - py[i];
    float r2 = dx * dx + dy * dy + 0.01f;
    float inv = 1.0f / sqrtf(r2);
    float s = mass[j] * inv * inv * inv;
    fx += s * dx;
    fy += s * dy;
  }
  ax[i] = fx;
  ay[i] = fy;
}
