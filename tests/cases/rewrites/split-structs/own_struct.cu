// step: split-structs{site=k/decl:p}
struct Body {
  float x, y;  // place
  int kind;
};
// r3c: kernel()
__global__ void k(float *out, const Body *in, int n) {
  Body p[4];
  for (int i = 0; i < 4; i++) {
    p[i] = in[i];
    p[i].x += 1.0f;
  }
  out[0] = p[n % 4].x + p[0].y * (float)p[1].kind;
}
//== expect
struct Body {
  float x, y;  // place
  int kind;
};
// r3c: kernel()
__global__ void k(float *out, const Body *in, int n) {
  float p_x[4];
  float p_y[4];
  int p_kind[4];
  for (int i = 0; i < 4; i++) {
    { p_x[i] = in[i].x; p_y[i] = in[i].y; p_kind[i] = in[i].kind; }
    p_x[i] += 1.0f;
  }
  out[0] = p_x[n % 4] + p_y[0] * (float)p_kind[1];
}
