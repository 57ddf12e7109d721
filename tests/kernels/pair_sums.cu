// launch: 6,4 x 32
// arg: double* re 3
// arg: double* im 3
// arg: double* shift 3
// arg: double* pole 800
// arg: double* left 480
// arg: int bands 12
// arg: int rows 20
// arg: int columns 40
// r3c: kernel(rtol=1e-9, atol=1e-9), geometry(cover)
__global__ void pair_sums(double *__restrict__ re, double *__restrict__ im, const double *__restrict__ shift,
                          const double *__restrict__ pole, const double *__restrict__ left, int bands, int rows,
                          int columns) {
  double re_own[3], im_own[3];
  for (int w = 0; w < 3; w++) {
    re_own[w] = 0.0;
    im_own[w] = 0.0;
  }
  for (int n = blockIdx.x; n < bands; n += gridDim.x) {
    for (int g = blockIdx.y; g < rows; g += gridDim.y) {
      double factor = left[n * columns + g];
      for (int c = threadIdx.x; c < columns; c += blockDim.x) {
#pragma unroll
        for (int w = 0; w < 3; w++) {
          double apart = shift[w] + 3.0 - pole[g * columns + c];
          double term = pole[g * columns + c] / apart * factor;
          re_own[w] += term;
          im_own[w] += term * apart;
        }
      }
    }
  }
  for (int w = 0; w < 3; w++) {
    atomicAdd(&re[w], re_own[w]);
    atomicAdd(&im[w], im_own[w]);
  }
}
