// What optimised NVPTX code calls when it is compiled for the host: LLVM's NVPTX intrinsics, named r3c_nv_<name>, and
// single instructions of inline PTX, named r3c_ptx_<instruction>. r3c/build/nvptx_to_host.py writes the calls.
#include <fenv.h>
#include <float.h>
#include <stdarg.h>
#include <algorithm>
#include <limits>

#include "runtime.h"

using r3c::from_bits;
using r3c::to_bits;

namespace {
float flushed(float x) { return fabsf(x) < FLT_MIN ? copysignf(0.0f, x) : x; }

template <class T, class F> T rounded(int mode, F compute) {
  const int old = fegetround();
  fesetround(mode);
  volatile T result = compute();
  fesetround(old);
  return result;
}

// PTX conversions saturate; NaN becomes 0, or the smallest value where 64 bits are asked for.
template <class I, class F> I to_integer(F x, int mode) {
  if (x != x) return sizeof(I) == 8 ? (I)(1ull << 63) : 0;
  const F r = mode == FE_TONEAREST ? std::nearbyint(x) : mode == FE_DOWNWARD ? std::floor(x) : mode == FE_UPWARD ? std::ceil(x) : std::trunc(x);
  if (r < (F)std::numeric_limits<I>::min()) return std::numeric_limits<I>::min();
  if (r >= std::ldexp((F)1, std::numeric_limits<I>::digits)) return std::numeric_limits<I>::max();
  return (I)r;
}

struct Pair {  // LLVM returns {i32, i1} and {i32, i32} in two registers
  uint64_t first, second;
};

// One conversion of a printf format with its argument, which is a double or at most 8 bytes wide.
int print_one(const std::string& spec, const char*& values) {
  const char kind = spec.back();
  const bool wide = spec.find("ll") != std::string::npos || spec.find('l') != std::string::npos || strchr("psn", kind);
  const size_t size = strchr("fFeEgGaA", kind) || wide ? 8 : 4;
  values = (const char*)(((uintptr_t)values + size - 1) / size * size);
  const char* at = values;
  values += size;
  if (strchr("fFeEgGaA", kind)) return printf(spec.c_str(), *(const double*)at);
  if (size == 8) return printf(spec.c_str(), *(const uint64_t*)at);
  return printf(spec.c_str(), *(const uint32_t*)at);
}
}  // namespace

extern "C" {
// Of a truth value only the lowest bit is given.
// --- barriers and warps ----------------------------------------------------------------------------------------------
void r3c_nv_barrier_cta_sync_aligned_all(int) { r3c_barrier(0); }
void r3c_nv_barrier_cta_sync_all(int) { r3c_barrier(0); }
int r3c_nv_barrier_cta_red_popc_aligned_all(int, unsigned p) { return (int)r3c_barrier(p & 1).count; }
bool r3c_nv_barrier_cta_red_and_aligned_all(int, unsigned p) { return r3c_barrier(p & 1).all; }
bool r3c_nv_barrier_cta_red_or_aligned_all(int, unsigned p) { return r3c_barrier(p & 1).any; }
void r3c_nv_bar_warp_sync(unsigned mask) { r3c_collective(r3c::SYNC, mask, 0, 0); }
void r3c_nv_membar_cta() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void r3c_nv_membar_gl() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void r3c_nv_membar_sys() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void r3c_nv_nanosleep(unsigned) {}
void r3c_nv_exit() { r3c_trap(); }

// `c` packs the segment's mask (bits 8 to 12) and the clamp (bits 0 to 4), as PTX has it.
#define SHUFFLES(T, suffix)                                                                                        \
  T r3c_nv_shfl_sync_bfly_##suffix(unsigned mask, T x, unsigned d, unsigned c) {                                   \
    const unsigned lane = r3c_lane(), segment = c >> 8 & 31, most = (lane & segment) | (c & 31 & ~segment);        \
    return r3c::shuffle(mask, x, (lane ^ d) <= most ? lane ^ d : lane);                                            \
  }                                                                                                                \
  T r3c_nv_shfl_sync_down_##suffix(unsigned mask, T x, unsigned d, unsigned c) {                                   \
    const unsigned lane = r3c_lane(), segment = c >> 8 & 31, most = (lane & segment) | (c & 31 & ~segment);        \
    return r3c::shuffle(mask, x, lane + d <= most ? lane + d : lane);                                              \
  }                                                                                                                \
  T r3c_nv_shfl_sync_up_##suffix(unsigned mask, T x, unsigned d, unsigned c) {                                     \
    const unsigned lane = r3c_lane(), segment = c >> 8 & 31, least = (lane & segment) | (c & 31 & ~segment);       \
    return r3c::shuffle(mask, x, (int)(lane - d) >= (int)least ? lane - d : lane);                                 \
  }                                                                                                                \
  T r3c_nv_shfl_sync_idx_##suffix(unsigned mask, T x, unsigned d, unsigned c) {                                    \
    const unsigned lane = r3c_lane(), segment = c >> 8 & 31, most = (lane & segment) | (c & 31 & ~segment);        \
    const unsigned source = (lane & segment) | (d & ~segment & 31);                                                \
    return r3c::shuffle(mask, x, source <= most ? source : lane);                                                  \
  }
SHUFFLES(float, f32)
SHUFFLES(int, i32)

bool r3c_nv_vote_all_sync(unsigned m, unsigned p) { return r3c_collective(r3c::ALL, m, p & 1, 0); }
bool r3c_nv_vote_any_sync(unsigned m, unsigned p) { return r3c_collective(r3c::ANY, m, p & 1, 0); }
unsigned r3c_nv_vote_ballot_sync(unsigned m, unsigned p) { return (unsigned)r3c_collective(r3c::BALLOT, m, p & 1, 0); }
bool r3c_nv_vote_uni_sync(unsigned m, unsigned p) {
  return r3c_collective(r3c::ALL, m, p & 1, 0) || r3c_collective(r3c::ALL, m, ~p & 1, 0);
}
unsigned r3c_nv_match_any_sync_i32(unsigned m, unsigned v) { return (unsigned)r3c_collective(r3c::MATCH, m, v, 0); }
unsigned r3c_nv_match_any_sync_i64(unsigned m, uint64_t v) { return (unsigned)r3c_collective(r3c::MATCH, m, v, 0); }
Pair r3c_nv_match_all_sync_i32p(unsigned m, unsigned v) {
  const uint64_t same = r3c_collective(r3c::MATCH_ALL, m, v, 0);
  return {same, same != 0};
}
Pair r3c_nv_match_all_sync_i64p(unsigned m, uint64_t v) {
  const uint64_t same = r3c_collective(r3c::MATCH_ALL, m, v, 0);
  return {same, same != 0};
}
#define REDUCE(name, what) \
  unsigned r3c_nv_redux_sync_##name(unsigned v, unsigned m) { return (unsigned)r3c_collective(r3c::what, m, v, 0); }
REDUCE(add, ADD) REDUCE(min, MIN) REDUCE(max, MAX) REDUCE(umin, UMIN) REDUCE(umax, UMAX)
REDUCE(and, AND) REDUCE(or, OR) REDUCE(xor, XOR)
unsigned r3c_nv_activemask() { return r3c_active_mask(); }
unsigned r3c_nv_read_ptx_sreg_laneid() { return r3c_lane(); }
unsigned r3c_nv_read_ptx_sreg_lanemask_eq() { return 1u << r3c_lane(); }
unsigned r3c_nv_read_ptx_sreg_lanemask_lt() { return (1u << r3c_lane()) - 1; }
unsigned r3c_nv_read_ptx_sreg_lanemask_le() { return ((1u << r3c_lane()) - 1) | 1u << r3c_lane(); }
unsigned r3c_nv_read_ptx_sreg_lanemask_gt() { return ~(((1u << r3c_lane()) - 1) | 1u << r3c_lane()); }
unsigned r3c_nv_read_ptx_sreg_lanemask_ge() { return ~((1u << r3c_lane()) - 1); }
unsigned r3c_nv_read_ptx_sreg_warpsize() { return 32; }
unsigned r3c_nv_read_ptx_sreg_clock() { return (unsigned)r3c_clock(); }
uint64_t r3c_nv_read_ptx_sreg_clock64() { return r3c_clock(); }
uint64_t r3c_nv_read_ptx_sreg_globaltimer() { return r3c_clock(); }
bool r3c_nv_isspacep_global(const void*) { return true; }

// --- floating point --------------------------------------------------------------------------------------------------
#define BINARY(name, op, mode, suffix)                                                                                 \
  float r3c_nv_##name##_##suffix##_f(float a, float b) { return rounded<float>(mode, [&] { volatile float x = a, y = b; return x op y; }); } \
  float r3c_nv_##name##_##suffix##_ftz_f(float a, float b) {                                                           \
    return flushed(rounded<float>(mode, [&] { volatile float x = flushed(a), y = flushed(b); return x op y; }));       \
  }                                                                                                                    \
  double r3c_nv_##name##_##suffix##_d(double a, double b) { return rounded<double>(mode, [&] { volatile double x = a, y = b; return x op y; }); }
#define TERNARY(mode, suffix)                                                                                        \
  float r3c_nv_fma_##suffix##_f(float a, float b, float c) { return rounded<float>(mode, [&] { return fmaf(a, b, c); }); } \
  float r3c_nv_fma_##suffix##_ftz_f(float a, float b, float c) {                                                     \
    return flushed(rounded<float>(mode, [&] { return fmaf(flushed(a), flushed(b), flushed(c)); }));                  \
  }                                                                                                                  \
  double r3c_nv_fma_##suffix##_d(double a, double b, double c) { return rounded<double>(mode, [&] { return fma(a, b, c); }); }
#define UNARY(mode, suffix)                                                                                            \
  float r3c_nv_rcp_##suffix##_f(float a) { return rounded<float>(mode, [&] { volatile float x = a; return 1.0f / x; }); } \
  float r3c_nv_rcp_##suffix##_ftz_f(float a) { return flushed(rounded<float>(mode, [&] { volatile float x = flushed(a); return 1.0f / x; })); } \
  double r3c_nv_rcp_##suffix##_d(double a) { return rounded<double>(mode, [&] { volatile double x = a; return 1.0 / x; }); } \
  float r3c_nv_sqrt_##suffix##_f(float a) { return rounded<float>(mode, [&] { volatile float x = a; return sqrtf(x); }); } \
  float r3c_nv_sqrt_##suffix##_ftz_f(float a) { return rounded<float>(mode, [&] { volatile float x = flushed(a); return sqrtf(x); }); } \
  double r3c_nv_sqrt_##suffix##_d(double a) { return rounded<double>(mode, [&] { volatile double x = a; return sqrt(x); }); }
#define TO_FLOAT(name, T, suffix, mode)                                                                          \
  float r3c_nv_##name##2f_##suffix(T a) { return rounded<float>(mode, [&] { volatile T x = a; return (float)x; }); } \
  double r3c_nv_##name##2d_##suffix(T a) { return rounded<double>(mode, [&] { volatile T x = a; return (double)x; }); }
#define FROM_FLOAT(name, T, suffix, mode)                                           \
  T r3c_nv_f2##name##_##suffix(float a) { return to_integer<T>(a, mode); }          \
  T r3c_nv_f2##name##_##suffix##_ftz(float a) { return to_integer<T>(flushed(a), mode); } \
  T r3c_nv_d2##name##_##suffix(double a) { return to_integer<T>(a, mode); }
#define CONVERSIONS(suffix, mode)                                                                                      \
  TO_FLOAT(i, int, suffix, mode) TO_FLOAT(ui, unsigned, suffix, mode)                                                  \
  TO_FLOAT(ll, int64_t, suffix, mode) TO_FLOAT(ull, uint64_t, suffix, mode)                                            \
  FROM_FLOAT(i, int, suffix, mode) FROM_FLOAT(ui, unsigned, suffix, mode)                                              \
  FROM_FLOAT(ll, int64_t, suffix, mode) FROM_FLOAT(ull, uint64_t, suffix, mode)                                        \
  float r3c_nv_d2f_##suffix(double a) { return rounded<float>(mode, [&] { volatile double x = a; return (float)x; }); } \
  float r3c_nv_d2f_##suffix##_ftz(double a) { return flushed(r3c_nv_d2f_##suffix(a)); }
#define ROUNDING(suffix, mode)                                                                              \
  BINARY(add, +, mode, suffix) BINARY(mul, *, mode, suffix) BINARY(div, /, mode, suffix)                    \
  TERNARY(mode, suffix) UNARY(mode, suffix) CONVERSIONS(suffix, mode)
ROUNDING(rn, FE_TONEAREST)
ROUNDING(rz, FE_TOWARDZERO)
ROUNDING(rm, FE_DOWNWARD)
ROUNDING(rp, FE_UPWARD)

#define APPROXIMATE(name, expression)                       \
  float r3c_nv_##name##_approx_f(float x) { return expression; } \
  float r3c_nv_##name##_approx_f32(float x) { return expression; } \
  float r3c_nv_##name##_approx_ftz_f(float y) { const float x = flushed(y); return flushed(expression); } \
  float r3c_nv_##name##_approx_ftz_f32(float y) { const float x = flushed(y); return flushed(expression); }
APPROXIMATE(rcp, 1.0f / x) APPROXIMATE(sqrt, sqrtf(x)) APPROXIMATE(rsqrt, 1.0f / sqrtf(x)) APPROXIMATE(sin, sinf(x))
APPROXIMATE(cos, cosf(x)) APPROXIMATE(ex2, exp2f(x)) APPROXIMATE(lg2, log2f(x)) APPROXIMATE(tanh, tanhf(x))
double r3c_nv_rsqrt_approx_d(double x) { return 1.0 / sqrt(x); }
double r3c_nv_rcp_approx_ftz_d(double x) { return 1.0 / x; }
float r3c_nv_div_approx_f(float a, float b) { return a / b; }
float r3c_nv_div_approx_ftz_f(float a, float b) { return flushed(flushed(a) / flushed(b)); }
float r3c_nv_div_full(float a, float b) { return a / b; }
float r3c_nv_div_full_ftz(float a, float b) { return flushed(flushed(a) / flushed(b)); }
float r3c_nv_sqrt_f(float x) { return sqrtf(x); }

#define PLAIN(name, float_expression, double_expression)                                                           \
  float r3c_nv_##name##_f(float x) { return float_expression; }                                                    \
  float r3c_nv_##name##_ftz_f(float y) { const float x = flushed(y); return flushed(float_expression); }           \
  double r3c_nv_##name##_d(double x) { return double_expression; }
PLAIN(floor, floorf(x), floor(x)) PLAIN(ceil, ceilf(x), ceil(x)) PLAIN(trunc, truncf(x), trunc(x))
PLAIN(round, nearbyintf(x), nearbyint(x))
PLAIN(saturate, (x > 0.0f ? std::min(x, 1.0f) : 0.0f), (x > 0.0 ? std::min(x, 1.0) : 0.0))
float r3c_nv_fabs_f32(float x) { return fabsf(x); }
float r3c_nv_fabs_ftz_f32(float x) { return fabsf(flushed(x)); }
double r3c_nv_fabs_f64(double x) { return fabs(x); }
float r3c_nv_fmin_f(float a, float b) { return fminf(a, b); }
float r3c_nv_fmax_f(float a, float b) { return fmaxf(a, b); }
float r3c_nv_fmin_ftz_f(float a, float b) { return fminf(flushed(a), flushed(b)); }
float r3c_nv_fmax_ftz_f(float a, float b) { return fmaxf(flushed(a), flushed(b)); }
double r3c_nv_fmin_d(double a, double b) { return fmin(a, b); }
double r3c_nv_fmax_d(double a, double b) { return fmax(a, b); }

// --- integers and bits -----------------------------------------------------------------------------------------------
int r3c_nv_mulhi_i(int a, int b) { return (int)((int64_t)a * b >> 32); }
unsigned r3c_nv_mulhi_ui(unsigned a, unsigned b) { return (unsigned)((uint64_t)a * b >> 32); }
int64_t r3c_nv_mulhi_ll(int64_t a, int64_t b) { return (int64_t)((__int128)a * b >> 64); }
uint64_t r3c_nv_mulhi_ull(uint64_t a, uint64_t b) { return (uint64_t)((unsigned __int128)a * b >> 64); }
int r3c_nv_mul24_i(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
unsigned r3c_nv_mul24_ui(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
unsigned r3c_nv_sad_i(int a, int b, unsigned c) { return (unsigned)std::abs((int64_t)a - b) + c; }
unsigned r3c_nv_sad_ui(unsigned a, unsigned b, unsigned c) { return (a > b ? a - b : b - a) + c; }
int r3c_nv_d2i_hi(double x) { return (int)(to_bits(x) >> 32); }
int r3c_nv_d2i_lo(double x) { return (int)to_bits(x); }
double r3c_nv_lohi_i2d(unsigned lo, unsigned hi) { return from_bits<double>((uint64_t)hi << 32 | lo); }
unsigned r3c_nv_prmt(unsigned a, unsigned b, unsigned selector) {
  const uint64_t bytes = (uint64_t)b << 32 | a;
  unsigned out = 0;
  for (int i = 0; i < 4; i++) {
    const unsigned s = selector >> 4 * i & 15, byte = (unsigned)(bytes >> 8 * (s & 7)) & 255;
    out |= (s & 8 ? (byte & 128 ? 255u : 0u) : byte) << 8 * i;
  }
  return out;
}

// --- half precision --------------------------------------------------------------------------------------------------
static _Float16 half(uint16_t bits) { return from_bits<_Float16>(bits); }
static uint16_t bits16(_Float16 x) { return (uint16_t)to_bits(x); }
static unsigned pair(uint16_t low, uint16_t high) { return low | (unsigned)high << 16; }
uint16_t r3c_nv_f2h_rn(float x) { return bits16((_Float16)x); }
uint16_t r3c_nv_f2h_rn_ftz(float x) { return bits16((_Float16)flushed(x)); }
uint16_t r3c_ptx_cvt_rn_f16_f32(float x) { return bits16((_Float16)x); }
float r3c_ptx_cvt_f32_f16(uint16_t x) { return (float)half(x); }
#define HALF_BINARY(name, op)                                                                            \
  uint16_t r3c_ptx_##name##_f16(uint16_t a, uint16_t b) { return bits16(half(a) op half(b)); }           \
  unsigned r3c_ptx_##name##_f16x2(unsigned a, unsigned b) {                                              \
    return pair(r3c_ptx_##name##_f16((uint16_t)a, (uint16_t)b), r3c_ptx_##name##_f16(a >> 16, b >> 16)); \
  }
HALF_BINARY(add, +) HALF_BINARY(sub, -) HALF_BINARY(mul, *)
uint16_t r3c_ptx_fma_rn_f16(uint16_t a, uint16_t b, uint16_t c) {
  return bits16((_Float16)fma((double)half(a), (double)half(b), (double)half(c)));
}
unsigned r3c_ptx_fma_rn_f16x2(unsigned a, unsigned b, unsigned c) {
  return pair(r3c_ptx_fma_rn_f16((uint16_t)a, (uint16_t)b, (uint16_t)c), r3c_ptx_fma_rn_f16(a >> 16, b >> 16, c >> 16));
}

// --- inline PTX of the toolkit's headers -----------------------------------------------------------------------------
float r3c_ptx_rcp_approx_ftz_f32(float x) { return flushed(1.0f / flushed(x)); }
// The toolkit's reduction of large angles: low and high word of a * b + c.
Pair r3c_ptx_mad_lo_cc_u32_0_2_3_4_madc_hi_u32_1_2_3_0(unsigned a, unsigned b, unsigned c) {
  const uint64_t sum = (uint64_t)a * b + c;
  return {sum & 0xffffffff, sum >> 32};
}
unsigned r3c_ptx_mov_u32_laneid(void) { return r3c_lane(); }
unsigned r3c_ptx_mov_u32_lanemask_lt(void) { return r3c_nv_read_ptx_sreg_lanemask_lt(); }
unsigned r3c_ptx_activemask_b32(void) { return r3c_active_mask(); }

// What a branch of the toolkit's math library asks at compile time, where the passes have left the question in.
int r3c_nv_reflect(const char* what) { return strcmp(what, "__CUDA_PREC_SQRT") == 0 || strcmp(what, "__CUDA_PREC_DIV") == 0; }

// --- functions of the device's C library -----------------------------------------------------------------------------
int vprintf_device(const char* format, const char* values) __asm__("r3c_nv_vprintf");
int vprintf_device(const char* format, const char* values) {
  int count = 0;
  for (const char* at = format; *at; at++) {
    const char* end = at;
    if (*at == '%' && at[1] != '%') {
      end = at + 1 + strcspn(at + 1, "diouxXcspfFeEgGaA");
      print_one(std::string(at, end - at + 1), values);
      count++;
    } else {
      putchar(*at);
      end = at + (*at == '%');
    }
    at = end;
  }
  return count;
}
void r3c_nv_assertfail(const char* message, const char* file, unsigned line, const char* function, size_t) {
  printf("%s:%u: %s: Assertion `%s' failed.\n", file, line, function, message);
  r3c_trap();
}
}
