// CUDA's math functions and intrinsics that the host's math.h lacks.
#pragma once

template <class A, class B> R3C_INLINE std::common_type_t<A, B> min(A a, B b) {
  using C = std::common_type_t<A, B>;
  if constexpr (std::is_floating_point_v<C>) return (C)fmin((C)a, (C)b);
  else return C(b) < C(a) ? C(b) : C(a);
}
template <class A, class B> R3C_INLINE std::common_type_t<A, B> max(A a, B b) {
  using C = std::common_type_t<A, B>;
  if constexpr (std::is_floating_point_v<C>) return (C)fmax((C)a, (C)b);
  else return C(a) < C(b) ? C(b) : C(a);
}
R3C_INLINE int umin(unsigned a, unsigned b) { return a < b ? a : b; }
R3C_INLINE int umax(unsigned a, unsigned b) { return a > b ? a : b; }

R3C_INLINE float rsqrtf(float x) { return 1.0f / sqrtf(x); }
R3C_INLINE double rsqrt(double x) { return 1.0 / sqrt(x); }
R3C_INLINE float rsqrt(float x) { return rsqrtf(x); }
R3C_INLINE float rcbrtf(float x) { return 1.0f / cbrtf(x); }
R3C_INLINE double rcbrt(double x) { return 1.0 / cbrt(x); }
R3C_INLINE float sinpif(float x) { return sinf(3.14159265358979323846f * x); }
R3C_INLINE float cospif(float x) { return cosf(3.14159265358979323846f * x); }
R3C_INLINE double sinpi(double x) { return sin(3.14159265358979323846 * x); }
R3C_INLINE double cospi(double x) { return cos(3.14159265358979323846 * x); }
R3C_INLINE void sincospif(float x, float* s, float* c) { *s = sinpif(x); *c = cospif(x); }
R3C_INLINE float norm3df(float a, float b, float c) { return sqrtf(a * a + b * b + c * c); }
R3C_INLINE double norm3d(double a, double b, double c) { return sqrt(a * a + b * b + c * c); }
R3C_INLINE float rhypotf(float a, float b) { return 1.0f / hypotf(a, b); }
R3C_INLINE float fdividef(float a, float b) { return a / b; }
R3C_INLINE float normcdff(float x) { return 0.5f * erfcf(-x * 0.70710678118654752f); }
R3C_INLINE double normcdf(double x) { return 0.5 * erfc(-x * 0.70710678118654752); }

// --- fast forms ------------------------------------------------------------------------------------------------------
#define __expf(x) (expf(x))
#define __exp10f(x) (exp10f(x))
#define __logf(x) (logf(x))
#define __log2f(x) (log2f(x))
#define __log10f(x) (log10f(x))
#define __sinf(x) (sinf(x))
#define __cosf(x) (cosf(x))
#define __tanf(x) (tanf(x))
#define __powf(x, y) (powf(x, y))
#define __sincosf(x, s, c) (sincosf(x, s, c))
R3C_INLINE float __fdividef(float a, float b) { return a / b; }
R3C_INLINE float __saturatef(float x) { return x != x || x < 0 ? 0.0f : x > 1 ? 1.0f : x; }

#define R3C_ROUNDED(suffix)                                                                       \
  R3C_INLINE float __fadd_##suffix(float a, float b) { return a + b; }                            \
  R3C_INLINE float __fsub_##suffix(float a, float b) { return a - b; }                            \
  R3C_INLINE float __fmul_##suffix(float a, float b) { return a * b; }                            \
  R3C_INLINE float __fdiv_##suffix(float a, float b) { return a / b; }                            \
  R3C_INLINE float __frcp_##suffix(float a) { return 1.0f / a; }                                  \
  R3C_INLINE float __fsqrt_##suffix(float a) { return sqrtf(a); }                                 \
  R3C_INLINE float __fmaf_##suffix(float a, float b, float c) { return fmaf(a, b, c); }           \
  R3C_INLINE double __dadd_##suffix(double a, double b) { return a + b; }                         \
  R3C_INLINE double __dsub_##suffix(double a, double b) { return a - b; }                         \
  R3C_INLINE double __dmul_##suffix(double a, double b) { return a * b; }                         \
  R3C_INLINE double __ddiv_##suffix(double a, double b) { return a / b; }                         \
  R3C_INLINE double __drcp_##suffix(double a) { return 1.0 / a; }                                 \
  R3C_INLINE double __dsqrt_##suffix(double a) { return sqrt(a); }                                \
  R3C_INLINE double __fma_##suffix(double a, double b, double c) { return fma(a, b, c); }
R3C_ROUNDED(rn) R3C_ROUNDED(rz) R3C_ROUNDED(ru) R3C_ROUNDED(rd)
#undef R3C_ROUNDED
R3C_INLINE float __frsqrt_rn(float a) { return 1.0f / sqrtf(a); }

// --- conversions -----------------------------------------------------------------------------------------------------
R3C_INLINE int __float_as_int(float x) { return r3c::from_bits<int>(r3c::to_bits(x)); }
R3C_INLINE unsigned __float_as_uint(float x) { return r3c::from_bits<unsigned>(r3c::to_bits(x)); }
R3C_INLINE float __int_as_float(int x) { return r3c::from_bits<float>(r3c::to_bits(x)); }
R3C_INLINE float __uint_as_float(unsigned x) { return r3c::from_bits<float>(r3c::to_bits(x)); }
R3C_INLINE long long __double_as_longlong(double x) { return r3c::from_bits<long long>(r3c::to_bits(x)); }
R3C_INLINE double __longlong_as_double(long long x) { return r3c::from_bits<double>(r3c::to_bits(x)); }
R3C_INLINE unsigned long long __double_as_ulonglong(double x) { return r3c::to_bits(x); }
R3C_INLINE double __ulonglong_as_double(unsigned long long x) { return r3c::from_bits<double>(x); }
R3C_INLINE int __double2hiint(double x) { return (int)(r3c::to_bits(x) >> 32); }
R3C_INLINE int __double2loint(double x) { return (int)r3c::to_bits(x); }
R3C_INLINE double __hiloint2double(int h, int l) {
  return r3c::from_bits<double>((uint64_t)(uint32_t)h << 32 | (uint32_t)l);
}
#define R3C_CONVERT(name, F, T)                                                         \
  R3C_INLINE T name##_rn(F x) { return (T)nearbyint((double)x); }                       \
  R3C_INLINE T name##_rz(F x) { return (T)trunc((double)x); }                           \
  R3C_INLINE T name##_ru(F x) { return (T)ceil((double)x); }                            \
  R3C_INLINE T name##_rd(F x) { return (T)floor((double)x); }
R3C_CONVERT(__float2int, float, int) R3C_CONVERT(__float2uint, float, unsigned)
R3C_CONVERT(__float2ll, float, long long) R3C_CONVERT(__double2int, double, int)
R3C_CONVERT(__double2uint, double, unsigned) R3C_CONVERT(__double2ll, double, long long)
#undef R3C_CONVERT
R3C_INLINE float __int2float_rn(int x) { return (float)x; }
R3C_INLINE float __int2float_rz(int x) { return (float)x; }
R3C_INLINE float __uint2float_rn(unsigned x) { return (float)x; }
R3C_INLINE double __int2double_rn(int x) { return (double)x; }
R3C_INLINE float __double2float_rn(double x) { return (float)x; }
R3C_INLINE double __ll2double_rn(long long x) { return (double)x; }

// --- integers --------------------------------------------------------------------------------------------------------
R3C_INLINE int __popc(unsigned x) { return __builtin_popcount(x); }
R3C_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
R3C_INLINE int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
R3C_INLINE int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
R3C_INLINE int __ffs(int x) { return __builtin_ffs(x); }
R3C_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }
R3C_INLINE unsigned __brev(unsigned x) {
  unsigned r = 0;
  for (int i = 0; i < 32; i++) r = r << 1 | (x >> i & 1);
  return r;
}
R3C_INLINE unsigned long long __brevll(unsigned long long x) {
  return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
R3C_INLINE unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((uint64_t)a * b >> 32); }
R3C_INLINE int __mulhi(int a, int b) { return (int)((int64_t)a * b >> 32); }
R3C_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)a * b >> 64);
}
R3C_INLINE int __mul24(int a, int b) { return ((a << 8) >> 8) * ((b << 8) >> 8); }
R3C_INLINE unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
R3C_INLINE unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned s) {
  return (unsigned)(((uint64_t)hi << 32 | lo) << (s & 31) >> 32);
}
R3C_INLINE unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned s) {
  return (unsigned)(((uint64_t)hi << 32 | lo) >> (s & 31));
}
R3C_INLINE unsigned __byte_perm(unsigned a, unsigned b, unsigned s) {
  const uint64_t bytes = (uint64_t)b << 32 | a;
  unsigned r = 0;
  for (int i = 0; i < 4; i++) {
    const unsigned pick = s >> (4 * i) & 0xf;
    unsigned byte = (unsigned)(bytes >> (8 * (pick & 7))) & 0xff;
    if (pick & 8) byte = byte & 0x80 ? 0xff : 0;
    r |= byte << (8 * i);
  }
  return r;
}
R3C_INLINE unsigned __sad(int a, int b, unsigned c) { return (unsigned)(a > b ? a - b : b - a) + c; }
R3C_INLINE unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a > b ? a - b : b - a) + c; }
R3C_INLINE int __hadd(int a, int b) { return (int)(((int64_t)a + b) >> 1); }
R3C_INLINE int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 4; i++) c += (int)(int8_t)(a >> (8 * i)) * (int)(int8_t)(b >> (8 * i));
  return c;
}
