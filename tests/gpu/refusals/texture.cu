// A texture over an array: its memory has no address, so it cannot be put back.
#include <cuda_runtime.h>

__global__ void k(cudaTextureObject_t image, float *out) { out[threadIdx.x] = tex2D<float>(image, threadIdx.x, 0); }

int main() {
  float *out;
  cudaMalloc(&out, 32 * sizeof(float));
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &format, 32, 32);
  cudaResourceDesc what = {};
  what.resType = cudaResourceTypeArray;
  what.res.array.array = array;
  cudaTextureDesc how = {};
  cudaTextureObject_t image;
  cudaCreateTextureObject(&image, &what, &how, nullptr);
  k<<<1, 32>>>(image, out);
  return cudaDeviceSynchronize();
}
