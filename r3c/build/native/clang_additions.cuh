// Stores with cache hints: part of CUDA's headers, and not of the ones that clang brings instead.
#pragma once
#define R3C_STORE(name, hint, type, suffix, letter)                                                       \
  static __device__ __forceinline__ void name(type *at, type value) {                                     \
    asm volatile("st.global." hint "." suffix " [%0], %1;" ::"l"(at), letter(value) : "memory");          \
  }
#define R3C_STORE2(name, hint, type, suffix, letter)                                                      \
  static __device__ __forceinline__ void name(type *at, type value) {                                     \
    asm volatile("st.global." hint ".v2." suffix " [%0], {%1,%2};" ::"l"(at), letter(value.x), letter(value.y) : "memory"); \
  }
#define R3C_STORE4(name, hint, type, suffix, letter)                                                      \
  static __device__ __forceinline__ void name(type *at, type value) {                                     \
    asm volatile("st.global." hint ".v4." suffix " [%0], {%1,%2,%3,%4};" ::"l"(at), letter(value.x),      \
                 letter(value.y), letter(value.z), letter(value.w) : "memory");                           \
  }
#define R3C_STORES(name, hint)                                \
  R3C_STORE(name, hint, int, "s32", "r")                      \
  R3C_STORE(name, hint, unsigned, "u32", "r")                 \
  R3C_STORE(name, hint, long, "s64", "l")                     \
  R3C_STORE(name, hint, unsigned long, "u64", "l")            \
  R3C_STORE(name, hint, long long, "s64", "l")                \
  R3C_STORE(name, hint, unsigned long long, "u64", "l")       \
  R3C_STORE(name, hint, short, "s16", "h")                    \
  R3C_STORE(name, hint, unsigned short, "u16", "h")           \
  R3C_STORE(name, hint, float, "f32", "f")                    \
  R3C_STORE(name, hint, double, "f64", "d")                   \
  R3C_STORE2(name, hint, float2, "f32", "f")                  \
  R3C_STORE2(name, hint, double2, "f64", "d")                 \
  R3C_STORE2(name, hint, int2, "s32", "r")                    \
  R3C_STORE2(name, hint, uint2, "u32", "r")                   \
  R3C_STORE4(name, hint, float4, "f32", "f")                  \
  R3C_STORE4(name, hint, int4, "s32", "r")                    \
  R3C_STORE4(name, hint, uint4, "u32", "r")
R3C_STORES(__stwb, "wb")
R3C_STORES(__stcg, "cg")
R3C_STORES(__stcs, "cs")
#undef R3C_STORES
#undef R3C_STORE4
#undef R3C_STORE2
#undef R3C_STORE
