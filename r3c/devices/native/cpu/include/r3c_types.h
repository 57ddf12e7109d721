// CUDA's vector types and qualifiers for host compilers; plain structs, no heavy headers.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define R3C_CPU 1
#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define CUDART_VERSION 12000

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __shared__ static thread_local
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __align__(n) alignas(n)
#define __builtin_align__(n) alignas(n)
#define CUDARTAPI
#define CUDART_CB
#ifndef __restrict__
#define __restrict__ __restrict
#endif

typedef unsigned char uchar;
typedef unsigned long ulong;

#define R3C_VECTOR(T, N, A2, A4)                                                              \
  struct N##1 { T x; };                                                                       \
  struct alignas(A2) N##2 { T x, y; };                                                        \
  struct N##3 { T x, y, z; };                                                                 \
  struct alignas(A4) N##4 { T x, y, z, w; };                                                  \
  static inline N##1 make_##N##1(T x) { return {x}; }                                         \
  static inline N##2 make_##N##2(T x, T y) { return {x, y}; }                                 \
  static inline N##3 make_##N##3(T x, T y, T z) { return {x, y, z}; }                         \
  static inline N##4 make_##N##4(T x, T y, T z, T w) { return {x, y, z, w}; }
R3C_VECTOR(char, char, 2, 4)
R3C_VECTOR(unsigned char, uchar, 2, 4)
R3C_VECTOR(short, short, 4, 8)
R3C_VECTOR(unsigned short, ushort, 4, 8)
R3C_VECTOR(int, int, 8, 16)
R3C_VECTOR(unsigned int, uint, 8, 16)
R3C_VECTOR(long, long, 16, 16)
R3C_VECTOR(unsigned long, ulong, 16, 16)
R3C_VECTOR(long long, longlong, 16, 16)
R3C_VECTOR(unsigned long long, ulonglong, 16, 16)
R3C_VECTOR(float, float, 8, 16)
R3C_VECTOR(double, double, 16, 16)
#undef R3C_VECTOR

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  operator uint3() const { return {x, y, z}; }
};

// Initial-exec: the runtime library is loaded once and early; the index of the running thread lies in static TLS.
#define R3C_TLS extern thread_local __attribute__((tls_model("initial-exec")))
R3C_TLS uint3 threadIdx;
R3C_TLS uint3 blockIdx;
R3C_TLS dim3 blockDim;
R3C_TLS dim3 gridDim;
static constexpr int warpSize = 32;
