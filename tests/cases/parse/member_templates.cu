__global__ void k(int *a, float *x, int n) {
  x[0] = v.template get<3>() + w->template at<0>(n);
  x[1] = tile.get<2>();
}
