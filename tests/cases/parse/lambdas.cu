void host() {
  auto f = [&](int i) -> float { return x[i]; };
  auto g = [=, &y, z = n + 1, this](auto v) mutable { return v; };
  auto h = [] { return 1; };
  run([=] __device__(int i) { x[i] = 0; }, n);
  auto d = [=] __host__ __device__ { return 2; };
}
