void host() {
  float *p = new float[n * 2];
  T *q = new T(1, 2), *r = new T{3};
  new (buffer) T();
  int **m = new int *[4];
}
