__global__ void k(int *a, float *x, int n) {
  __shared__ float tile[32][33];
  extern __shared__ float dynamic[];
  __shared__ __align__(16) char bytes[64];
  extern __shared__ __align__(sizeof(double)) unsigned char raw[];
  static __shared__ int counter;
}
