// What kernels call: barriers, warp collectives, atomics, intrinsics. The work is done by the runtime library.
#pragma once
#include <math.h>
#include <stdio.h>
#include <type_traits>

#include "r3c_types.h"

namespace r3c {
enum Collective : int { SHUFFLE, BALLOT, SYNC, ANY, ALL, MATCH, ADD, MIN, MAX, UMIN, UMAX, AND, OR, XOR, MATCH_ALL };
struct BarrierResult { unsigned count, any, all; };
}  // namespace r3c

extern "C" {
r3c::BarrierResult r3c_barrier(unsigned predicate);
uint64_t r3c_collective(int what, unsigned mask, uint64_t value, unsigned source);
unsigned r3c_lane(void);
unsigned r3c_active_mask(void);
void* r3c_dynamic_shared(void);
unsigned long long r3c_clock(void);
void r3c_trap(void);
}

namespace r3c {
template <class T> inline uint64_t to_bits(T v) {
  static_assert(sizeof(T) <= 8, "warp collectives take values of at most 8 bytes");
  uint64_t bits = 0;
  memcpy(&bits, &v, sizeof v);
  return bits;
}
template <class T> inline T from_bits(uint64_t bits) {
  T v;
  memcpy(&v, &bits, sizeof v);
  return v;
}
template <class T> inline T* dynamic_shared() { return static_cast<T*>(r3c_dynamic_shared()); }
template <class T> struct same { using type = T; };
template <class T> using same_t = typename same<T>::type;
template <class T> inline T shuffle(unsigned mask, T v, unsigned source) {
  return from_bits<T>(r3c_collective(SHUFFLE, mask, to_bits(v), source));
}
template <class T, class F> inline T read_modify_write(T* p, F change) {
  T old;
  __atomic_load(p, &old, __ATOMIC_RELAXED);
  for (;;) {
    T fresh = change(old);
    if (__atomic_compare_exchange(p, &old, &fresh, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return old;
  }
}
}  // namespace r3c

#define R3C_INLINE static inline

// --- barriers and fences ---------------------------------------------------------------------------------------------
R3C_INLINE void __syncthreads() { r3c_barrier(0); }
R3C_INLINE int __syncthreads_count(int p) { return (int)r3c_barrier(p != 0).count; }
R3C_INLINE int __syncthreads_or(int p) { return (int)r3c_barrier(p != 0).any; }
R3C_INLINE int __syncthreads_and(int p) { return (int)r3c_barrier(p != 0).all; }
R3C_INLINE void __syncwarp(unsigned mask = 0xffffffffu) { r3c_collective(r3c::SYNC, mask, 0, 0); }
R3C_INLINE void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
R3C_INLINE void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
R3C_INLINE void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
R3C_INLINE void __trap() { r3c_trap(); }
R3C_INLINE void __nanosleep(unsigned) {}
R3C_INLINE long long clock64() { return (long long)r3c_clock(); }

// --- warps -----------------------------------------------------------------------------------------------------------
template <class T> R3C_INLINE T __shfl_sync(unsigned m, T v, int s, int w = 32) {
  const unsigned lane = r3c_lane();
  return r3c::shuffle(m, v, (lane & ~(unsigned)(w - 1)) | ((unsigned)s & (unsigned)(w - 1)));
}
template <class T> R3C_INLINE T __shfl_down_sync(unsigned m, T v, unsigned d, int w = 32) {
  const unsigned lane = r3c_lane();
  return r3c::shuffle(m, v, (lane & (w - 1)) + d < (unsigned)w ? lane + d : lane);
}
template <class T> R3C_INLINE T __shfl_up_sync(unsigned m, T v, unsigned d, int w = 32) {
  const unsigned lane = r3c_lane();
  return r3c::shuffle(m, v, (lane & (w - 1)) >= d ? lane - d : lane);
}
template <class T> R3C_INLINE T __shfl_xor_sync(unsigned m, T v, int x, int w = 32) {
  const unsigned lane = r3c_lane(), other = lane ^ (unsigned)x;
  return r3c::shuffle(m, v, (other & ~(unsigned)(w - 1)) <= (lane | (unsigned)(w - 1)) ? other : lane);
}
R3C_INLINE unsigned __ballot_sync(unsigned m, int p) { return (unsigned)r3c_collective(r3c::BALLOT, m, p != 0, 0); }
R3C_INLINE int __any_sync(unsigned m, int p) { return (int)r3c_collective(r3c::ANY, m, p != 0, 0); }
R3C_INLINE int __all_sync(unsigned m, int p) { return (int)r3c_collective(r3c::ALL, m, p != 0, 0); }
template <class T> R3C_INLINE unsigned __match_any_sync(unsigned m, T v) {
  return (unsigned)r3c_collective(r3c::MATCH, m, r3c::to_bits(v), 0);
}
template <class T> R3C_INLINE unsigned __match_all_sync(unsigned m, T v, int* all) {
  const unsigned same = (unsigned)r3c_collective(r3c::MATCH_ALL, m, r3c::to_bits(v), 0);
  *all = same != 0;
  return same;
}
R3C_INLINE unsigned __reduce_add_sync(unsigned m, unsigned v) { return (unsigned)r3c_collective(r3c::ADD, m, v, 0); }
R3C_INLINE int __reduce_add_sync(unsigned m, int v) { return (int)r3c_collective(r3c::ADD, m, (unsigned)v, 0); }
R3C_INLINE int __reduce_min_sync(unsigned m, int v) { return (int)r3c_collective(r3c::MIN, m, (unsigned)v, 0); }
R3C_INLINE int __reduce_max_sync(unsigned m, int v) { return (int)r3c_collective(r3c::MAX, m, (unsigned)v, 0); }
R3C_INLINE unsigned __reduce_min_sync(unsigned m, unsigned v) { return (unsigned)r3c_collective(r3c::UMIN, m, v, 0); }
R3C_INLINE unsigned __reduce_max_sync(unsigned m, unsigned v) { return (unsigned)r3c_collective(r3c::UMAX, m, v, 0); }
R3C_INLINE unsigned __reduce_and_sync(unsigned m, unsigned v) { return (unsigned)r3c_collective(r3c::AND, m, v, 0); }
R3C_INLINE unsigned __reduce_or_sync(unsigned m, unsigned v) { return (unsigned)r3c_collective(r3c::OR, m, v, 0); }
R3C_INLINE unsigned __reduce_xor_sync(unsigned m, unsigned v) { return (unsigned)r3c_collective(r3c::XOR, m, v, 0); }
R3C_INLINE unsigned __activemask() { return r3c_active_mask(); }
R3C_INLINE unsigned __lanemask_lt() { return (1u << r3c_lane()) - 1; }

// --- atomics ---------------------------------------------------------------------------------------------------------
template <class T> R3C_INLINE T atomicAdd(T* p, r3c::same_t<T> v) {
  return r3c::read_modify_write(p, [=](T o) { return T(o + v); });
}
template <class T> R3C_INLINE T atomicSub(T* p, r3c::same_t<T> v) {
  return r3c::read_modify_write(p, [=](T o) { return T(o - v); });
}
template <class T> R3C_INLINE T atomicMin(T* p, r3c::same_t<T> v) {
  return r3c::read_modify_write(p, [=](T o) { return o < v ? o : v; });
}
template <class T> R3C_INLINE T atomicMax(T* p, r3c::same_t<T> v) {
  return r3c::read_modify_write(p, [=](T o) { return o > v ? o : v; });
}
template <class T> R3C_INLINE T atomicAnd(T* p, r3c::same_t<T> v) {
  return r3c::read_modify_write(p, [=](T o) { return T(o & v); });
}
template <class T> R3C_INLINE T atomicOr(T* p, r3c::same_t<T> v) {
  return r3c::read_modify_write(p, [=](T o) { return T(o | v); });
}
template <class T> R3C_INLINE T atomicXor(T* p, r3c::same_t<T> v) {
  return r3c::read_modify_write(p, [=](T o) { return T(o ^ v); });
}
template <class T> R3C_INLINE T atomicExch(T* p, r3c::same_t<T> v) {
  return r3c::read_modify_write(p, [=](T) { return v; });
}
template <class T> R3C_INLINE T atomicCAS(T* p, r3c::same_t<T> expected, r3c::same_t<T> v) {
  __atomic_compare_exchange(p, &expected, &v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return expected;
}
R3C_INLINE unsigned atomicInc(unsigned* p, unsigned v) {
  return r3c::read_modify_write(p, [=](unsigned o) { return o >= v ? 0u : o + 1; });
}
R3C_INLINE unsigned atomicDec(unsigned* p, unsigned v) {
  return r3c::read_modify_write(p, [=](unsigned o) { return o == 0 || o > v ? v : o - 1; });
}
#define R3C_ATOMIC_SCOPES(name)                                                                              \
  template <class T> R3C_INLINE T name##_block(T* p, r3c::same_t<T> v) { return name(p, v); }                \
  template <class T> R3C_INLINE T name##_system(T* p, r3c::same_t<T> v) { return name(p, v); }
R3C_ATOMIC_SCOPES(atomicAdd)
R3C_ATOMIC_SCOPES(atomicMin)
R3C_ATOMIC_SCOPES(atomicMax)
R3C_ATOMIC_SCOPES(atomicOr)
R3C_ATOMIC_SCOPES(atomicAnd)
R3C_ATOMIC_SCOPES(atomicExch)
#undef R3C_ATOMIC_SCOPES

// --- loads and stores with cache hints -------------------------------------------------------------------------------
#define R3C_LOAD(name) template <class T> R3C_INLINE T name(const T* p) { return *p; }
R3C_LOAD(__ldg) R3C_LOAD(__ldca) R3C_LOAD(__ldcg) R3C_LOAD(__ldcs) R3C_LOAD(__ldlu) R3C_LOAD(__ldcv)
#undef R3C_LOAD
#define R3C_STORE(name) template <class T> R3C_INLINE void name(T* p, r3c::same_t<T> v) { *p = v; }
R3C_STORE(__stwb) R3C_STORE(__stcg) R3C_STORE(__stcs) R3C_STORE(__stwt)
#undef R3C_STORE
template <class T> R3C_INLINE bool __isGlobal(const T*) { return true; }
R3C_INLINE void __builtin_assume(bool) {}
template <class T> R3C_INLINE T* __builtin_assume_aligned_(T* p, size_t) { return p; }

#include "r3c_math.h"
