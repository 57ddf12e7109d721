extern "C"__global__ void k(int *p) { p[0] = 1; }
extern "C" {
__global__ void l(int *p) { p[0] = 2; }
}
