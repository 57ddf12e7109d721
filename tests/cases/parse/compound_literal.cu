__global__ void k(int *a, float *x, int n) {
  float2 v = (float2){x[0], x[1]};
  v = float2{1.f, 2.f};
}
