void host() {
  auto f = [&]<typename T, int N>() { k<T, N><<<1, N>>>(p); };
  f.template operator()<float, 4>();
  [&](auto tag) { constexpr int W = decltype(tag)::value; }(one);
}
