extern "C" __global__ void __launch_bounds__(256, 2) a(int *p) {}
__launch_bounds__(128) __global__ void b() {}
void __global__ c() {}
static __global__ void __launch_bounds__(N * 32) d() {}
__global__ __launch_bounds__(64) static void e() {}
