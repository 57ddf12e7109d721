__global__ void k(void) {}
__device__ void nothing() { ; }
__device__ int one() { { { return 1; } } }
