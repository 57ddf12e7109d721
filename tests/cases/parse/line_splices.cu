__global__ void k(int *a) {
  a[0] = 1 + \
    2; // goes on \
  in the next line
  a\
[1] = 3;
}
