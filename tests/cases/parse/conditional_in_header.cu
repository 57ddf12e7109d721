__global__ void
#if BIG
__launch_bounds__(64)
#endif
k(float *p) { p[0] = 1; }
