__device__ auto f(int n) -> float { return n; }
struct S : B {
  __device__ int g() const noexcept(true) override { return 1; }
  __device__ int h() final { return 2; }
};
