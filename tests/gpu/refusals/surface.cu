// A surface over an array, inside a struct that is passed by value.
#include <cuda_runtime.h>

struct Image {
  int width;
  cudaSurfaceObject_t pixels;
};

__global__ void k(Image image) { surf2Dwrite(1.0f, image.pixels, 4 * threadIdx.x, 0); }

int main() {
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &format, 32, 32, cudaArraySurfaceLoadStore);
  cudaResourceDesc what = {};
  what.resType = cudaResourceTypeArray;
  what.res.array.array = array;
  Image image = {32, 0};
  cudaCreateSurfaceObject(&image.pixels, &what);
  k<<<1, 32>>>(image);
  return cudaDeviceSynchronize();
}
