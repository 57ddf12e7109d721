// launch: 2 x 64
// arg: float* re 256
// arg: float* im 256
// arg: int half 8
// arg: int n 128
// r3c: kernel(rtol=1e-4, atol=1e-4)
__global__ void butterfly(float *re, float *im, int half, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n) {
    int pos = t % half;
    int a = (t / half) * half * 2 + pos;
    int b = a + half;
    float angle = -3.14159265f * pos / half;
    float wr = cosf(angle), wi = sinf(angle);
    float br = re[b] * wr - im[b] * wi;
    float bi = re[b] * wi + im[b] * wr;
    re[b] = re[a] - br;
    im[b] = im[a] - bi;
    re[a] = re[a] + br;
    im[a] = im[a] + bi;
  }
}
