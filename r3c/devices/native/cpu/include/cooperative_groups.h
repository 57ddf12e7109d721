// Cooperative groups of one block: the block itself, tiles of a warp, and the threads that are active together.
#pragma once
#include "cuda_runtime.h"

namespace cooperative_groups {
inline unsigned linear_thread() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
inline unsigned block_threads() { return blockDim.x * blockDim.y * blockDim.z; }

struct thread_block {
  void sync() const { r3c_barrier(0); }
  unsigned thread_rank() const { return linear_thread(); }
  unsigned size() const { return block_threads(); }
  unsigned num_threads() const { return block_threads(); }
  dim3 group_index() const { return dim3(blockIdx); }
  dim3 thread_index() const { return dim3(threadIdx); }
  dim3 group_dim() const { return blockDim; }
  dim3 dim_threads() const { return blockDim; }
};
inline thread_block this_thread_block() { return {}; }

template <unsigned N, class Parent = void> struct thread_block_tile {
  static_assert(N <= 32 && (N & (N - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads on this device");
  thread_block_tile() = default;
  template <class Other> thread_block_tile(const thread_block_tile<N, Other>&) {}
  unsigned mask() const {
    const unsigned first = r3c_lane() & ~(N - 1);
    return (N == 32 ? 0xffffffffu : ((1u << N) - 1)) << first;
  }
  void sync() const { r3c_collective(r3c::SYNC, mask(), 0, 0); }
  unsigned thread_rank() const { return r3c_lane() & (N - 1); }
  static constexpr unsigned size() { return N; }
  static constexpr unsigned num_threads() { return N; }
  unsigned meta_group_rank() const { return linear_thread() / N; }
  unsigned meta_group_size() const { return (block_threads() + N - 1) / N; }
  template <class T> T shfl(T v, int s) const { return __shfl_sync(mask(), v, s, N); }
  template <class T> T shfl_down(T v, unsigned d) const { return __shfl_down_sync(mask(), v, d, N); }
  template <class T> T shfl_up(T v, unsigned d) const { return __shfl_up_sync(mask(), v, d, N); }
  template <class T> T shfl_xor(T v, unsigned x) const { return __shfl_xor_sync(mask(), v, (int)x, N); }
  int any(int p) const { return __any_sync(mask(), p); }
  int all(int p) const { return __all_sync(mask(), p); }
  unsigned ballot(int p) const { return __ballot_sync(mask(), p) >> (r3c_lane() & ~(N - 1)); }
  template <class T> unsigned match_any(T v) const { return __match_any_sync(mask(), v) >> (r3c_lane() & ~(N - 1)); }
};
template <unsigned N, class G> inline thread_block_tile<N, G> tiled_partition(const G&) { return {}; }

struct coalesced_group {
  unsigned lanes = r3c_active_mask();
  void sync() const { r3c_collective(r3c::SYNC, lanes, 0, 0); }
  unsigned size() const { return (unsigned)__builtin_popcount(lanes); }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const { return (unsigned)__builtin_popcount(lanes & ((1u << r3c_lane()) - 1)); }
  template <class T> T shfl(T v, unsigned rank) const {
    unsigned left = lanes;
    for (unsigned i = 0; i < rank; i++) left &= left - 1;
    return __shfl_sync(lanes, v, __builtin_ctz(left));
  }
};
inline coalesced_group coalesced_threads() { return {}; }

template <class G> inline void sync(const G& group) { group.sync(); }
template <class T> struct plus { T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { T operator()(T a, T b) const { return a < b ? b : a; } };
template <unsigned N, class P, class T, class F> inline T reduce(const thread_block_tile<N, P>& tile, T v, F f) {
  for (unsigned d = N / 2; d > 0; d /= 2) v = f(v, tile.shfl_xor(v, d));
  return v;
}
}  // namespace cooperative_groups
