// Launches that are captured into a graph and run from there.
#include <cuda_runtime.h>

__global__ void k(int *p) { p[threadIdx.x]++; }

int main() {
  int *p;
  cudaMalloc(&p, 32 * sizeof(int));
  cudaMemset(p, 0, 32 * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  k<<<1, 32, 0, stream>>>(p);
  cudaGraph_t graph;
  cudaStreamEndCapture(stream, &graph);
  cudaGraphExec_t run;
  cudaGraphInstantiate(&run, graph, 0);
  for (int i = 0; i < 3; i++) cudaGraphLaunch(run, stream);
  return cudaDeviceSynchronize();
}
