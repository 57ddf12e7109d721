// launch: 4 x 128
// arg: unsigned* gray 500
// arg: unsigned* rgb 1500 below 256
// arg: int n 500
// r3c: kernel()
__global__ void rgb_to_gray(unsigned int *gray, const unsigned int *rgb, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    unsigned int sum = rgb[3 * i] * 77u + rgb[3 * i + 1] * 150u + rgb[3 * i + 2] * 29u;
    gray[i] = sum / 256u;
  }
}
