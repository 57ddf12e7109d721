// Accesses of kernels built with -fsanitize=thread: two threads meet at a byte, one of them writes, nothing orders them.
//
// Only the compiler's calls are used, not its library: what orders accesses here are barriers of the block and
// operations of the warp. Between blocks nothing does, except fences and atomics in the way of a last block that sums up.
#include <stdio.h>
#include <algorithm>
#include <unordered_map>

#include "runtime.h"

namespace r3c {

thread_local __attribute__((tls_model("initial-exec"))) Turn turn;
bool watching = false;

namespace {

constexpr unsigned kNobody = ~0u;
constexpr uint64_t kMostAccesses = 40'000'000;

struct Access {
  uint64_t block = 0, time = 0;
  unsigned thread = kNobody, barriers = 0, syncs = 0;
  bool atomic = false;
};
struct Cell {
  Access writer, reader, other;  // `other`: a reader of another thread than `reader`, where there was one
};
struct Page {
  Cell cells[512];
};

uint64_t now = 0, count = 0, found = 0;
char first[256];
std::unordered_map<uint64_t, Page*> pages;
std::unordered_map<uint64_t, uint64_t> fenced, asked;  // by block: when it last made a fence, an atomic operation
struct Write {
  uint64_t address;
  unsigned size;
  uint8_t before[16];
  Access by;
} pending;
bool has_pending = false;

Access here(bool atomic) {
  return {turn.block, ++now, turn.thread, turn.barriers, turn.syncs[turn.thread / 32], atomic};
}

bool same_thread(const Access& a, const Access& b) { return a.block == b.block && a.thread == b.thread; }

bool is_shared(uint64_t address) {
  for (auto& range : turn.shared)
    if (address >= range[0] && address < range[1]) return true;
  return false;
}

// Whether `earlier` is sure to come before `later` on any device; each block has its own shared memory.
bool ordered(uint64_t address, const Access& earlier, const Access& later) {
  if (earlier.thread == kNobody || same_thread(earlier, later)) return true;
  if (earlier.block != later.block && is_shared(address)) return true;
  if (earlier.atomic && later.atomic) return true;
  if (earlier.block == later.block) {
    if (earlier.barriers != later.barriers) return true;
    return earlier.thread / 32 == later.thread / 32 && earlier.syncs != later.syncs;
  }
  auto fence = fenced.find(earlier.block);
  auto atomic = asked.find(later.block);
  return fence != fenced.end() && atomic != asked.end() && earlier.time < fence->second && fence->second < atomic->second;
}

void note(uint64_t address, const Access& a, const Access& b, const char* what) {
  if (found++) return;
  snprintf(first, sizeof first, "thread %u of block %llu and thread %u of block %llu %s the same byte of %s memory unordered",
           a.thread, (unsigned long long)a.block, b.thread, (unsigned long long)b.block, what, is_shared(address) ? "shared" : "device");
}

Cell& cell(uint64_t address) {
  Page*& page = pages[address / 512];
  if (!page) page = new Page;
  return page->cells[address % 512];
}

void take_write(const Write& w) {
  const bool silent = !w.by.atomic && memcmp((void*)w.address, w.before, w.size) == 0;
  for (unsigned i = 0; i < w.size; i++) {
    Cell& c = cell(w.address + i);
    if (silent) continue;  // it wrote what was there: whoever comes first, the memory is the same
    const uint64_t at = w.address + i;
    if (!ordered(at, c.writer, w.by)) note(at, c.writer, w.by, "write");
    if (!ordered(at, c.reader, w.by)) note(at, c.reader, w.by, "read and write");
    if (!ordered(at, c.other, w.by)) note(at, c.other, w.by, "read and write");
    c.writer = w.by;
  }
}

void settle() {
  if (!has_pending) return;
  has_pending = false;
  take_write(pending);
}

bool is_private(uint64_t address) { return address >= turn.stacks && address < turn.stacks_end; }

bool skip(const void* p) { return !watching || count > kMostAccesses || is_private((uint64_t)p); }

void read_at(const void* p, unsigned size, bool atomic) {
  if (skip(p)) return;
  settle();
  count++;
  const Access by = here(atomic);
  for (unsigned i = 0; i < size; i++) {
    const uint64_t at = (uint64_t)p + i;
    Cell& c = cell(at);
    if (!ordered(at, c.writer, by)) note(at, c.writer, by, "write and read");
    if (!ordered(at, c.reader, by)) c.other = c.reader;
    c.reader = by;
  }
}

void write_at(void* p, unsigned size, bool atomic) {
  if (skip(p)) return;
  settle();
  count++;
  for (unsigned at = 0; at < size; at += 16) {
    settle();
    pending = {(uint64_t)p + at, std::min(16u, size - at), {}, here(atomic)};
    memcpy(pending.before, (char*)p + at, pending.size);
    has_pending = true;
  }
}

void atomic_at(volatile void* p, unsigned size) {
  if (!watching) return;
  asked[turn.block] = ++now;
  write_at((void*)p, size, true);
}
void fence() {
  if (watching) settle(), fenced[turn.block] = ++now;
}

}  // namespace

void settle_writes() { settle(); }

}  // namespace r3c

using namespace r3c;

extern "C" {

// Starts to watch, or ends: then how many races were found, -1 where there was too much to look at.
void r3c_watch(void) {
  for (auto& page : pages) delete page.second;
  pages.clear(), fenced.clear(), asked.clear();
  now = count = found = 0, first[0] = 0, has_pending = false, watching = true;
}
long long r3c_watched(char* text, size_t size) {
  settle();
  watching = false;
  snprintf(text, size, "%s", first);
  for (auto& page : pages) delete page.second;
  pages.clear();
  return count > kMostAccesses && !found ? -1 : (long long)found;
}

// --- what the compiler calls ----------------------------------------------------------------------------------------
void __tsan_init(void) {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit(void) {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}
void __tsan_read_range(void* p, unsigned long n) { read_at(p, (unsigned)n, false); }
void __tsan_write_range(void* p, unsigned long n) { write_at(p, (unsigned)n, false); }
#define R3C_ACCESS(n)                                                             \
  void __tsan_read##n(void* p) { read_at(p, n, false); }                          \
  void __tsan_write##n(void* p) { write_at(p, n, false); }                        \
  void __tsan_unaligned_read##n(void* p) { read_at(p, n, false); }                \
  void __tsan_unaligned_write##n(void* p) { write_at(p, n, false); }              \
  void __tsan_volatile_read##n(void* p) { read_at(p, n, false); }                 \
  void __tsan_volatile_write##n(void* p) { write_at(p, n, false); }               \
  void __tsan_read_write##n(void* p) { read_at(p, n, false), write_at(p, n, false); }
R3C_ACCESS(1) R3C_ACCESS(2) R3C_ACCESS(4) R3C_ACCESS(8) R3C_ACCESS(16)

#define R3C_ATOMIC(bits, T)                                                                                            \
  T __tsan_atomic##bits##_load(const volatile T* p, int) { return atomic_at((volatile void*)p, 0), read_at((const void*)p, sizeof(T), true), __atomic_load_n(p, 5); } \
  void __tsan_atomic##bits##_store(volatile T* p, T v, int) { atomic_at(p, sizeof(T)), __atomic_store_n(p, v, 5); }    \
  T __tsan_atomic##bits##_exchange(volatile T* p, T v, int) { return atomic_at(p, sizeof(T)), __atomic_exchange_n(p, v, 5); } \
  T __tsan_atomic##bits##_fetch_add(volatile T* p, T v, int) { return atomic_at(p, sizeof(T)), __atomic_fetch_add(p, v, 5); } \
  T __tsan_atomic##bits##_fetch_sub(volatile T* p, T v, int) { return atomic_at(p, sizeof(T)), __atomic_fetch_sub(p, v, 5); } \
  T __tsan_atomic##bits##_fetch_and(volatile T* p, T v, int) { return atomic_at(p, sizeof(T)), __atomic_fetch_and(p, v, 5); } \
  T __tsan_atomic##bits##_fetch_or(volatile T* p, T v, int) { return atomic_at(p, sizeof(T)), __atomic_fetch_or(p, v, 5); } \
  T __tsan_atomic##bits##_fetch_xor(volatile T* p, T v, int) { return atomic_at(p, sizeof(T)), __atomic_fetch_xor(p, v, 5); } \
  T __tsan_atomic##bits##_fetch_nand(volatile T* p, T v, int) { return atomic_at(p, sizeof(T)), __atomic_fetch_nand(p, v, 5); } \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile T* p, T* c, T v, int, int) {                              \
    return atomic_at(p, sizeof(T)), __atomic_compare_exchange_n(p, c, v, 0, 5, 5);                                     \
  }                                                                                                                    \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile T* p, T* c, T v, int, int) {                                \
    return atomic_at(p, sizeof(T)), __atomic_compare_exchange_n(p, c, v, 0, 5, 5);                                     \
  }                                                                                                                    \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T* p, T c, T v, int, int) {                                    \
    atomic_at(p, sizeof(T));                                                                                           \
    __atomic_compare_exchange_n(p, &c, v, 0, 5, 5);                                                                    \
    return c;                                                                                                          \
  }
R3C_ATOMIC(8, uint8_t) R3C_ATOMIC(16, uint16_t) R3C_ATOMIC(32, uint32_t) R3C_ATOMIC(64, uint64_t)
void __tsan_atomic_thread_fence(int) { fence(); }
void __tsan_atomic_signal_fence(int) {}
}
