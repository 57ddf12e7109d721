// launch: 2 x 64
// arg: int* data 256 below 1000
// arg: int n 128
// arg: int j 4
// arg: int k 8
// r3c: kernel()
__global__ void bitonic_step(int *data, int n, int j, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int other = i ^ j;
  if (i < n && other > i) {
    int a = data[i];
    int b = data[other];
    bool up = (i & k) == 0;
    if (up ? a > b : a < b) {
      data[i] = b;
      data[other] = a;
    }
  }
}
