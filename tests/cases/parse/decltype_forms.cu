template <class T>
__global__ void k(T t) {
  decltype(t) u = t;
  constexpr int s = decltype(size(t))::value;
  auto z = decltype(t){};
  decltype(auto) w = pass(t);
  typename decltype(u)::type v;
}
