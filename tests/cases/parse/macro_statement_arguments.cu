__global__ void k(int *a, float *x, int n) {
  DISPATCH(type, NAME, { constexpr int v = NAME; go<v>(); });
  SWITCH(n, "what", using T = Pick<N, true>; go<T>(n);)
  TARGET(SM_70, (wait(n);), (spin(n); return;));
  ON_DEVICE(return a[0];)
}
