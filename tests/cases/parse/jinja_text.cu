__global__ void k(const {{ T }} *p) {
  p[0] = 1;
}
