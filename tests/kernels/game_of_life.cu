// launch: 2,2 x 16,16
// arg: int* next 900
// arg: int* now 900 below 2
// arg: int w 30
// arg: int h 30
// r3c: kernel()
__global__ void game_of_life(int *next, const int *now, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    int alive = 0;
    for (int dy = -1; dy <= 1; dy++) {
      for (int dx = -1; dx <= 1; dx++) {
        if (dx == 0 && dy == 0) continue;
        alive += now[((y + dy + h) % h) * w + (x + dx + w) % w];
      }
    }
    int self = now[y * w + x];
    next[y * w + x] = alive == 3 || (self && alive == 2);
  }
}
