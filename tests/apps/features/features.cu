// One kernel for each thing that has to survive the way from device code to the host.
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

#define N 512

struct Scale {
  double factor;
  int offset;
  char flag;
};

__constant__ float weights[4];
__device__ int counter;

namespace inner {
__device__ int seen;

// r3c: kernel(rtol=1e-6)
template <class T, unsigned STEP>
__global__ void stretch(const T *in, T *out, bool twice, short add, Scale scale, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = T(in[i / STEP] * (twice ? 2 : 1) * scale.factor + scale.offset + add + scale.flag);
  if (i == 0) atomicAdd(&seen, STEP);
}
}  // namespace inner

// r3c: kernel(rtol=1e-5)
__global__ void weigh(const float *in, float *out, int n) {
  extern __shared__ float tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? __ldcs(in + i) : 0;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 4; k++) sum += weights[k] * tile[(threadIdx.x + k) % blockDim.x];
  if (i < n) __stcs(out + i, sum);
  if (__syncthreads_or(sum > 1e6f) && threadIdx.x == 0) atomicAdd(&counter, 1);
}

// r3c: kernel
__global__ void votes(const int *in, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = i < n ? in[i] : 0;
  const unsigned odd = __ballot_sync(0xffffffffu, value & 1);
  int least = value;
  for (int d = 16; d; d /= 2) least = min(least, __shfl_xor_sync(0xffffffffu, least, d));
  const int above = __shfl_up_sync(0xffffffffu, value, 1, 8);
  const int first = __shfl_sync(0xffffffffu, value, 3, 16);
  const int any = __any_sync(0xffffffffu, value == 7), all = __all_sync(0xffffffffu, value >= 0);
  if (i < n) out[i] = __popc(odd) + 3 * least + 5 * above + 7 * first + 11 * any + 13 * all + __clz(value + 1) + __brev(i);
  if (threadIdx.x % 32 == 0) {
    atomicMax(out + n, value);
    atomicCAS(out + n + 1, 0, 5);
    atomicXor((unsigned *)out + n + 2, odd);
  }
}

// r3c: kernel(rtol=1e-5, atol=1e-6)
__global__ void functions(const float *in, float *out, double *fine, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 four = __ldcg((const float4 *)in + i / 4);
  const float x = i % 4 == 0 ? four.x : i % 4 == 1 ? four.y : i % 4 == 2 ? four.z : four.w;
  out[i] = expf(-x) + sinf(x) * cosf(x) + logf(x + 1) + sqrtf(x) + rsqrtf(x + 1) + tanhf(x) + powf(x + 1, 1.5f) +
           fminf(x, 0.5f) + floorf(x * 10) + float(int(x * 100)) + __float2int_rn(x * 3) + fabsf(x - 0.5f) + erff(x);
  fine[i] = exp(-double(x)) + sqrt(double(x)) + double(x) / 3 + fma(double(x), 2.0, 1.0) + lround(x * 9.5);
  if (x < -1) printf("%d %f %s\n", i, x, "negative");
}

int main() {
  std::vector<float> host(N);
  std::vector<int> whole(N + 3);
  for (int i = 0; i < N; i++) host[i] = i * 37 % 101 / 100.0f, whole[i] = i * 37 % 101;
  float *a, *b, w[4] = {0.5f, 1, -2, 0.25f};
  double *c;
  int *p, *q;
  cudaMalloc(&a, N * sizeof(float)), cudaMalloc(&b, N * sizeof(float)), cudaMalloc(&c, N * sizeof(double));
  cudaMalloc(&p, N * sizeof(int)), cudaMalloc(&q, (N + 3) * sizeof(int));
  cudaMemcpy(a, host.data(), N * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(p, whole.data(), N * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(b, 0, N * sizeof(float)), cudaMemset(q, 0, (N + 3) * sizeof(int));
  cudaMemcpyToSymbol(weights, w, sizeof w);
  for (int step = 0; step < 2; step++) {
    inner::stretch<float, 2><<<N / 64, 64>>>(a, b, step == 0, (short)-3, Scale{1.5, 4, 1}, N);
    weigh<<<N / 128, 128, 128 * sizeof(float)>>>(a, b, N);
    votes<<<N / 64, 64>>>(p, q, N - 5 * step);
    functions<<<N / 64, 64>>>(a, b, c, N);
  }
  cudaMemcpy(host.data(), b, N * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.4f\n", host[N - 1]);
}
