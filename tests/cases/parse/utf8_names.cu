__global__ void k(float *α) { α[0] = 1; }
