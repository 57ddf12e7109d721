"""Small sources of many shapes, each with a kernel, a candidate for it and a host function that launches it."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.core.source import Source


@dataclass(frozen=True)
class Shape:
    """`text` with `kernel` in it; `launch` is a C++ statement that launches it through its header."""

    kernel: str
    candidate: str
    text: str
    block: tuple[int, int, int] = (128, 1, 1)

    @property
    def source(self) -> Source:
        return Source("app.cu", self.text)


PLAIN = Shape(
    "add", "unroll{site=add/loop:s,factor=2} @ block{x=256,y=1,z=1}",
    """\
#include <cstdio>
// r3c: kernel()
// r3c: geometry(cover)
__global__ void add(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // r3c: loop(s)
  for (int s = 0; s < 8; s++) a[i] += 1.0f;  // r3c: freeze
}
void run(float *a, int n) {
  add<<<(n + 127) / 128, 128>>>(a, n);
}
""".replace("  // r3c: freeze", ""),
)  # fmt: skip

TUNABLE = Shape(
    "tuned", "define{site=tuned/TILE,value=32},define{site=tuned/W,value=4}",
    """\
#ifndef TILE
// r3c: tune(TILE: 8|16|32)
#define TILE 16
#endif
#define AREA (TILE * TILE)
namespace app {
// r3c: tune(W: 1|2|4)
constexpr int W = 2;
constexpr int WW = W * 2;
#define SCALE(x) ((x) * WW)
static __device__ float helper(float x) { return x * TILE + W; }
__device__ float other(float x) { return x; }
// r3c: kernel(rtol=1e-5)
__global__ void tuned(float *a, int n) {
  int i = blockIdx.x * TILE + threadIdx.x;
  for (int s = 0; s < AREA; s++) {
    if (i < n * W) a[i] += SCALE(helper(other(a[i])));
  }
}
void run(float *a, int n) { tuned<<<n, TILE, 0>>>(a, n); }
}
""",
    (16, 1, 1),
)  # fmt: skip

TEMPLATE = Shape(
    "fill", "launch-bounds{site=fill,threads=256}",
    """\
namespace deep { namespace inner {
// r3c: kernel()
template <typename T, int N = 4>
__global__ void fill(T *__restrict__ out, const T value, /* unused */ int, unsigned n = 3u) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) for (int k = 0; k < N; k++) out[i * N + k] = value;
}
} }
void run(float *a, cudaStream_t stream) {
  deep::inner::fill<float, 2> <<<dim3(1, 2), 128 /* threads */, 0, stream>>> (a, 1.0f, 3);
  deep::inner::fill<double><<<1, 128>>>((double *)a, 2.0, 0, 4u);
}
""",
)  # fmt: skip

C_LINKAGE = Shape(
    "scale", "const-restrict{site=scale/param:a}",
    """\
extern "C" __global__ void scale(float *a,  // in place
                                 float f) {
  a[threadIdx.x] *= f;
}
void run(float *a) { scale<<<1, 128>>>(a, 2.0f); }
""",
)  # fmt: skip

NO_ARGUMENTS = Shape(
    "tick", "launch-bounds{site=tick,threads=128}",
    """\
__device__ int counter;
static __global__ void tick() { if (threadIdx.x == 0) counter += 1; }
void run() { tick<<<1, 128>>>(); }
""",
)  # fmt: skip

SHAPES = {
    "plain": PLAIN, "tunable": TUNABLE, "template": TEMPLATE, "c_linkage": C_LINKAGE, "no_arguments": NO_ARGUMENTS,
}  # fmt: skip
