// launch: 4 x 256
// arg: float* y 1001
// arg: float* x 1001
// arg: float a 1.5
// arg: int n 1001
// steps: coarsen{site=axpy,factor=4,axis=x,order=neighbours},hoist-guard{site=axpy/loop:part},vector-load{site=axpy/loop:part},vector-load{site=axpy/loop:part},vector-store{site=axpy/loop:part}
// r3c: kernel()
// r3c: buffer(x, in)
__global__ void axpy(float *y, const float *x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
//== hand indices_per_thread=4,1,1
__global__ void axpy(float *y, const float *x, float a, int n) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (i + 3 < n) {
    float xs[4];
    if ((size_t)&x[i] % 16 == 0) {
      const float4 v = *(const float4 *)&x[i];
      xs[0] = v.x;
      xs[1] = v.y;
      xs[2] = v.z;
      xs[3] = v.w;
    } else {
      xs[0] = x[i];
      xs[1] = x[i + 1];
      xs[2] = x[i + 2];
      xs[3] = x[i + 3];
    }
    float ys[4];
    if ((size_t)&y[i] % 16 == 0) {
      const float4 v = *(const float4 *)&y[i];
      ys[0] = v.x;
      ys[1] = v.y;
      ys[2] = v.z;
      ys[3] = v.w;
    } else {
      ys[0] = y[i];
      ys[1] = y[i + 1];
      ys[2] = y[i + 2];
      ys[3] = y[i + 3];
    }
    float sums[4];
    for (int k = 0; k < 4; k++) sums[k] = a * xs[k] + ys[k];
    if ((size_t)&y[i] % 16 == 0) {
      float4 v;
      v.x = sums[0];
      v.y = sums[1];
      v.z = sums[2];
      v.w = sums[3];
      *(float4 *)&y[i] = v;
    } else {
      y[i] = sums[0];
      y[i + 1] = sums[1];
      y[i + 2] = sums[2];
      y[i + 3] = sums[3];
    }
  } else {
    for (int k = i; k < i + 4; k++) {
      if (k < n) y[k] = a * x[k] + y[k];
    }
  }
}
