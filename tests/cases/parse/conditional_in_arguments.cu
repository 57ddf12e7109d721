__global__ void k(float *x,
#ifdef DEBUG
                  int *log,
#endif
                  int n) {
  f(x,
#ifdef DEBUG
    log,
#endif
    n);
}
