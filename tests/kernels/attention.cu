// launch: 1 x 32
// arg: float* out 320
// arg: float* q 320
// arg: float* key 320
// arg: float* value 320
// arg: int n 32
#define DIM 10
// r3c: kernel(rtol=1e-4, atol=1e-4)
__global__ void attention(float *__restrict__ out, const float *__restrict__ q, const float *__restrict__ key,
                          const float *__restrict__ value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float acc[DIM];
  for (int d = 0; d < DIM; d++) acc[d] = 0.0f;
  float total = 0.0f;
  for (int j = 0; j < n; j++) {
    float score = 0.0f;
    for (int d = 0; d < DIM; d++) score += q[i * DIM + d] * key[j * DIM + d];
    float weight = expf(score * 0.1f);
    total += weight;
    for (int d = 0; d < DIM; d++) acc[d] += weight * value[j * DIM + d];
  }
  for (int d = 0; d < DIM; d++) out[i * DIM + d] = acc[d] / total;
}
