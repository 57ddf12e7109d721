namespace one { namespace two::three {
__global__ void k() {}
} }
struct S {
  static __global__ void never();
  __device__ S(int v) : a(v), b{v, 1} { c = 2; }
  __device__ ~S() {}
  __device__ int get() const { return a; }
 private:
  int a;
};
