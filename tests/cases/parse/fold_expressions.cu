template <class... Ts>
__device__ int all(Ts... ts) {
  bool every = (ts && ...);
  int total = (0 + ... + ts);
  (use(ts), ...);
  return (... + ts);
}
