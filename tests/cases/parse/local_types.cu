__global__ void k(int *a, float *x, int n) {
  struct Pair { int first; float second; };
  union { float f; int i; } bits;
  enum Mode : int { READ, WRITE };
  enum { FOUR = 4 };
  Pair p;
  bits.f = x[0];
}
