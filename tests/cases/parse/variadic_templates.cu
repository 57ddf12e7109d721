template <int N, class... Ts>
__global__ void k(Ts... ts, Ts *...ps) {
  f(ts...);
  g<Ts...>(h(ts)...);
  int order[] = {ts...};
}
