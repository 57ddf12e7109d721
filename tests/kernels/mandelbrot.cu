// launch: 2,2 x 16,8
// arg: int* out 480
// arg: int w 30
// arg: int h 16
// r3c: kernel()
__global__ void mandelbrot(int *out, int w, int h) {
  int px = blockIdx.x * blockDim.x + threadIdx.x;
  int py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px < w && py < h) {
    float cx = px * 0.1f - 2.0f, cy = py * 0.125f - 1.0f;
    float x = 0.0f, y = 0.0f;
    int count = 0;
    for (int it = 0; it < 40; it++) {
      float t = x * x - y * y + cx;
      y = 2.0f * x * y + cy;
      x = t;
      if (x * x + y * y > 4.0f) break;
      count++;
    }
    out[py * w + px] = count;
  }
}
