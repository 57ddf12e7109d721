__global__ void k(int *a, float *x, int n) {
  asm volatile("mov.u32 %0, %1;" : "=r"(n) : "r"(n) : "memory");
  asm("bar.sync 0;");
  __asm__ __volatile__("" ::: "memory");
}
