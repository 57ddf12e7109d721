// step: expand-macros{site=k}
#define ROW(r) ((r) * 4) // a row
#define AT(i, j) \
  (ROW(i) + j)
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  y[AT(1, ROW(w))] = AT(0, threadIdx.x);
  y[ROW(2)] = ROW((w, 3));
}
//== expect
#define ROW(r) ((r) * 4) // a row
#define AT(i, j) \
  (ROW(i) + j)
// r3c: kernel()
__global__ void k(float *__restrict__ y, const float *__restrict__ a, int n, int w) {
  y[(((1) * 4) + ((w) * 4))] = (((0) * 4) + threadIdx.x);
  y[((2) * 4)] = (((w, 3)) * 4);
}
