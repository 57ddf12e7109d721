void host(cudaStream_t s) {
  k<<<1, 2>>>(p);
  ns::k<T, 2><<<dim3(4), 64, 0, s>>>(a, b);
  k<N>
      <<<grid, block, n >> 2>>>(p);
  (*fn)<<<g, b>>>(p);
  table[i]<<<g, b, sizeof(float) * 32>>>();
}
