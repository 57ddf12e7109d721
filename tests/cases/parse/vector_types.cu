__global__ void k(int *a, float *x, int n) {
  float4 v = make_float4(1, 2, 3, 4);
  v.x += reinterpret_cast<float4 *>(&x[n])[0].w;
  *(float2 *)&x[2 * n] = make_float2(v.x, v.y);
}
