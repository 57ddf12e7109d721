__device__ int f(int, const S *, T &, int (&)[4], float (*)(int), void * = nullptr, ...) { return 0; }
