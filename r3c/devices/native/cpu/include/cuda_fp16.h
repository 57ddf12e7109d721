// Half precision through the compiler's _Float16: each operation rounds once, as on the device.
#pragma once
#include "cuda_runtime.h"

struct __half {
  _Float16 v;
  __half() = default;
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>> __half(T x) : v((_Float16)x) {}
  operator float() const { return (float)v; }
  __half& operator+=(__half o) { v = (_Float16)(v + o.v); return *this; }
  __half& operator-=(__half o) { v = (_Float16)(v - o.v); return *this; }
  __half& operator*=(__half o) { v = (_Float16)(v * o.v); return *this; }
  __half& operator/=(__half o) { v = (_Float16)(v / o.v); return *this; }
};
struct alignas(4) __half2 { __half x, y; };
typedef __half half;
typedef __half2 half2;

static inline __half r3c_half(_Float16 v) { __half h; h.v = v; return h; }
#define R3C_HALF_OP(op)                                                                       \
  static inline __half operator op(__half a, __half b) { return r3c_half((_Float16)(a.v op b.v)); } \
  static inline __half2 operator op(__half2 a, __half2 b) { return {a.x op b.x, a.y op b.y}; }
R3C_HALF_OP(+) R3C_HALF_OP(-) R3C_HALF_OP(*) R3C_HALF_OP(/)
#undef R3C_HALF_OP
static inline __half operator-(__half a) { return r3c_half(-a.v); }
#define R3C_HALF_COMPARE(op) static inline bool operator op(__half a, __half b) { return a.v op b.v; }
R3C_HALF_COMPARE(<) R3C_HALF_COMPARE(>) R3C_HALF_COMPARE(<=) R3C_HALF_COMPARE(>=) R3C_HALF_COMPARE(==) R3C_HALF_COMPARE(!=)
#undef R3C_HALF_COMPARE

static inline __half __float2half(float x) { return __half(x); }
static inline __half __float2half_rn(float x) { return __half(x); }
static inline __half __double2half(double x) { return __half(x); }
static inline float __half2float(__half x) { return (float)x.v; }
static inline __half __int2half_rn(int x) { return __half(x); }
static inline int __half2int_rn(__half x) { return (int)nearbyintf((float)x.v); }
static inline __half __ushort_as_half(unsigned short x) { __half h; memcpy(&h, &x, 2); return h; }
static inline unsigned short __half_as_ushort(__half h) { unsigned short x; memcpy(&x, &h, 2); return x; }
static inline __half2 __halves2half2(__half a, __half b) { return {a, b}; }
static inline __half2 make_half2(__half a, __half b) { return {a, b}; }
static inline __half2 __half2half2(__half a) { return {a, a}; }
static inline __half2 __float2half2_rn(float a) { return {__half(a), __half(a)}; }
static inline __half2 __floats2half2_rn(float a, float b) { return {__half(a), __half(b)}; }
static inline __half2 __float22half2_rn(float2 a) { return {__half(a.x), __half(a.y)}; }
static inline float2 __half22float2(__half2 a) { return {(float)a.x.v, (float)a.y.v}; }
static inline __half __low2half(__half2 a) { return a.x; }
static inline __half __high2half(__half2 a) { return a.y; }
static inline float __low2float(__half2 a) { return (float)a.x.v; }
static inline float __high2float(__half2 a) { return (float)a.y.v; }
static inline __half __hadd(__half a, __half b) { return a + b; }
static inline __half __hsub(__half a, __half b) { return a - b; }
static inline __half __hmul(__half a, __half b) { return a * b; }
static inline __half __hdiv(__half a, __half b) { return a / b; }
static inline __half __hneg(__half a) { return -a; }
static inline __half __habs(__half a) { return a.v < 0 ? -a : a; }
static inline __half __hfma(__half a, __half b, __half c) { return __half(fmaf((float)a.v, (float)b.v, (float)c.v)); }
static inline __half2 __hadd2(__half2 a, __half2 b) { return a + b; }
static inline __half2 __hsub2(__half2 a, __half2 b) { return a - b; }
static inline __half2 __hmul2(__half2 a, __half2 b) { return a * b; }
static inline __half2 __hfma2(__half2 a, __half2 b, __half2 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
static inline bool __hlt(__half a, __half b) { return a < b; }
static inline bool __hgt(__half a, __half b) { return a > b; }
static inline bool __hle(__half a, __half b) { return a <= b; }
static inline bool __hge(__half a, __half b) { return a >= b; }
static inline bool __heq(__half a, __half b) { return a == b; }
static inline bool __hisnan(__half a) { return a.v != a.v; }
static inline __half __hmax(__half a, __half b) { return a.v < b.v ? b : a; }
static inline __half __hmin(__half a, __half b) { return b.v < a.v ? b : a; }
static inline __half hexp(__half a) { return __half(expf((float)a.v)); }
static inline __half hlog(__half a) { return __half(logf((float)a.v)); }
static inline __half hsqrt(__half a) { return __half(sqrtf((float)a.v)); }
static inline __half hrsqrt(__half a) { return __half(1.0f / sqrtf((float)a.v)); }
static inline __half hrcp(__half a) { return __half(1.0f / (float)a.v); }
