__global__ void k(int *a, float *x, int n) {
  s.a.b[1].c = p->q->r;
  (*p).x = (&s)->y;
  this->z = p->f(1).g(2)[3];
}
