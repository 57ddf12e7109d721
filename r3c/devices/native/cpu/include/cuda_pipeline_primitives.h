// Asynchronous copies to shared memory. A copy is made when its group is waited for, so that a missing wait shows.
#pragma once
#include <string.h>

#include <deque>
#include <map>
#include <vector>

#include "cuda_runtime.h"

namespace r3c {
struct AsyncCopy { char* to; const char* from; size_t size, zeros; };
struct AsyncCopies { std::vector<AsyncCopy> open; std::deque<std::vector<AsyncCopy>> groups; };

// The copies of the calling thread; those of a block that has ended are forgotten.
inline AsyncCopies& async_copies() {
  static thread_local std::map<unsigned, AsyncCopies> of_thread;
  static thread_local uint3 block = {~0u, 0, 0};
  if (block.x != blockIdx.x || block.y != blockIdx.y || block.z != blockIdx.z) of_thread.clear(), block = blockIdx;
  return of_thread[threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)];
}
}  // namespace r3c

static inline void __pipeline_memcpy_async(void* to, const void* from, size_t size, size_t zeros = 0) {
  r3c::async_copies().open.push_back({static_cast<char*>(to), static_cast<const char*>(from), size, zeros});
}
static inline void __pipeline_commit() {
  r3c::AsyncCopies& copies = r3c::async_copies();
  copies.groups.emplace_back(std::move(copies.open));
  copies.open.clear();
}
static inline void __pipeline_wait_prior(size_t left) {
  auto& groups = r3c::async_copies().groups;
  for (; groups.size() > left; groups.pop_front())
    for (const r3c::AsyncCopy& copy : groups.front()) {
      memcpy(copy.to, copy.from, copy.size - copy.zeros);
      memset(copy.to + copy.size - copy.zeros, 0, copy.zeros);
    }
}
