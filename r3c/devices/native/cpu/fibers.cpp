// Threads of a block as fibers on one OS thread; blocks are spread over OS threads.
#include <stdlib.h>
#include <sys/mman.h>
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <iterator>
#include <mutex>
#include <random>
#include <thread>

#include "runtime.h"

thread_local __attribute__((tls_model("initial-exec"))) uint3 threadIdx;
thread_local __attribute__((tls_model("initial-exec"))) uint3 blockIdx;
thread_local __attribute__((tls_model("initial-exec"))) dim3 blockDim;
thread_local __attribute__((tls_model("initial-exec"))) dim3 gridDim;

extern "C" void r3c_switch(void** save, void* load);
#if defined(__x86_64__)
asm(R"(
.text
.globl r3c_switch
.hidden r3c_switch
.type r3c_switch,@function
r3c_switch:
  push %rbp
  push %rbx
  push %r12
  push %r13
  push %r14
  push %r15
  mov %rsp,(%rdi)
  mov %rsi,%rsp
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbx
  pop %rbp
  ret
)");
static constexpr int kSavedWords = 6;
#elif defined(__aarch64__)
asm(R"(
.text
.globl r3c_switch
.hidden r3c_switch
.type r3c_switch,%function
r3c_switch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
)");
#else
#error "r3c's CPU device runs on x86-64 and aarch64"
#endif

namespace r3c {
namespace {

enum State : uint8_t { READY, AT_BARRIER, IN_WARP, DONE };

struct Fiber {
  uint3 thread;
  unsigned linear;
  void* stack_pointer;
  State state;
  int what;
  unsigned mask, source;
  uint64_t value, result;
};

enum Order { ASCENDING, DESCENDING, RANDOM };
std::atomic<int> order{ASCENDING};
std::atomic<uint64_t> order_seed{1};
std::atomic<int> most_threads{0};
constexpr size_t kStack = 128 << 10;
constexpr size_t kSpoiltStack = 2048;  // of each thread
constexpr uint64_t kAloneThreads = 4096;  // smaller grids are not worth a second OS thread

struct Worker {
  const r3c_Kernel* kernel = nullptr;
  void** arguments = nullptr;
  std::vector<Fiber> fibers;
  Fiber* current = nullptr;
  char* stacks = nullptr;
  size_t stack_count = 0;
  void* scheduler = nullptr;
  std::vector<char> shared;
  BarrierResult arriving{0, 0, 1}, released{0, 0, 1};
  ~Worker() {
    if (stacks) munmap(stacks, stack_count * kStack);
  }
};
thread_local Worker* worker = nullptr;

void yield() { r3c_switch(&worker->current->stack_pointer, worker->scheduler); }

void entry() {
  worker->kernel->run(worker->arguments);
  worker->current->state = DONE;
  yield();
  __builtin_trap();
}

void reserve_stacks(Worker& w, size_t count) {
  if (w.stack_count >= count) return;
  if (w.stacks) munmap(w.stacks, w.stack_count * kStack);
  w.stacks = (char*)mmap(nullptr, count * kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  w.stack_count = count;
  for (size_t i = 0; i < count; i++) mprotect(w.stacks + i * kStack, 4096, PROT_NONE);
}

void prepare(Worker& w, size_t index) {
  Fiber& f = w.fibers[index];
  f = {};
  f.linear = (unsigned)index;
  f.thread = {(unsigned)(index % blockDim.x), (unsigned)(index / blockDim.x % blockDim.y),
              (unsigned)(index / blockDim.x / blockDim.y)};
  // Stacks that start at the same offset of a page compete for the same cache lines.
  uintptr_t top = (uintptr_t)(w.stacks + (index + 1) * kStack) - 64 - (index * 192 & 2047);
  void** words = (void**)(top & ~(uintptr_t)15);
#if defined(__x86_64__)
  *--words = nullptr;
  *--words = (void*)&entry;
  for (int i = 0; i < kSavedWords; i++) *--words = nullptr;
#else
  words -= 20;
  for (int i = 0; i < 20; i++) words[i] = nullptr;
  words[11] = (void*)&entry;  // x30
#endif
  f.stack_pointer = words;
  if (spoiling) fill_random((char*)words - kSpoiltStack, kSpoiltStack);
}

// --- warp collectives ------------------------------------------------------------------------------------------------

uint64_t combined(const Fiber& me, const Fiber* lanes, unsigned present, unsigned votes, unsigned lane_count) {
  uint64_t sum = 0;
  unsigned and_all = ~0u, or_all = 0, xor_all = 0, least = ~0u, most = 0, same = 0;
  int smallest = INT32_MAX, largest = INT32_MIN;
  for (unsigned l = 0; l < lane_count; l++) {
    if (!(present >> l & 1)) continue;
    const unsigned v = (unsigned)lanes[l].value;
    sum += v, and_all &= v, or_all |= v, xor_all ^= v;
    least = std::min(least, v), most = std::max(most, v);
    smallest = std::min(smallest, (int)v), largest = std::max(largest, (int)v);
    if (lanes[l].value == me.value) same |= 1u << l;
  }
  switch (me.what) {
    case SHUFFLE: return me.source < lane_count && (present >> me.source & 1) ? lanes[me.source].value : me.value;
    case BALLOT: return votes;
    case ANY: return votes != 0;
    case ALL: return votes == present;
    case MATCH: return same;
    case MATCH_ALL: return same == present ? present : 0;
    case ADD: return (uint32_t)sum;
    case MIN: return (uint32_t)smallest;
    case MAX: return (uint32_t)largest;
    case UMIN: return least;
    case UMAX: return most;
    case AND: return and_all;
    case OR: return or_all;
    case XOR: return xor_all;
    default: return 0;
  }
}

// Completes the collective of `me` if every living lane that its mask names has arrived at the same one.
bool complete(Worker& w, Fiber& me) {
  const unsigned base = me.linear & ~31u;
  const unsigned lane_count = (unsigned)std::min<size_t>(32, w.fibers.size() - base);
  Fiber* lanes = &w.fibers[base];
  unsigned living = 0, here = 0, votes = 0;
  for (unsigned l = 0; l < lane_count; l++) {
    if (lanes[l].state != DONE) living |= 1u << l;
    if (lanes[l].state == IN_WARP && lanes[l].mask == me.mask && lanes[l].what == me.what) here |= 1u << l;
  }
  const unsigned need = me.mask & living;
  if ((here & need) != need) return false;
  for (unsigned l = 0; l < lane_count; l++)
    if ((need >> l & 1) && lanes[l].value) votes |= 1u << l;
  for (unsigned l = 0; l < lane_count; l++)
    if (need >> l & 1) lanes[l].result = combined(lanes[l], lanes, need, votes, lane_count);
  for (unsigned l = 0; l < lane_count; l++)
    if (need >> l & 1) lanes[l].state = READY;
  turn.syncs[base / 32]++;
  return true;
}

// --- scheduling ------------------------------------------------------------------------------------------------------

std::vector<unsigned> thread_order(size_t count, uint64_t block) {
  std::vector<unsigned> out(count);
  for (size_t i = 0; i < count; i++) out[i] = (unsigned)(order == DESCENDING ? count - 1 - i : i);
  if (order == RANDOM) {
    std::mt19937_64 random(order_seed + block * 0x9E3779B97F4A7C15ull);
    std::shuffle(out.begin(), out.end(), random);
  }
  return out;
}

std::string run_with_fibers(Worker& w, size_t count, const std::vector<unsigned>& turns) {
  w.fibers.resize(count);
  reserve_stacks(w, count);
  for (size_t i = 0; i < count; i++) prepare(w, i);
  w.arriving = {0, 0, 1};
  turn.stacks = (uint64_t)w.stacks, turn.stacks_end = turn.stacks + w.stack_count * kStack;
  for (;;) {
    bool ran = false;
    for (unsigned next : turns) {
      Fiber& f = w.fibers[next];
      if (f.state != READY) continue;
      w.current = &f;
      turn.thread = f.linear;
      threadIdx = f.thread;
      ran = true;
      r3c_switch(&w.scheduler, f.stack_pointer);
    }
    size_t done = 0, waiting = 0;
    bool ready = false;
    for (Fiber& f : w.fibers) done += f.state == DONE, waiting += f.state == AT_BARRIER, ready |= f.state == READY;
    if (done == count) return "";
    if (waiting && waiting + done == count) {  // threads that have ended count as arrived
      w.released = w.arriving, w.arriving = {0, 0, 1};
      settle_writes();
      turn.barriers++;
      for (Fiber& f : w.fibers)
        if (f.state == AT_BARRIER) f.state = READY;
      continue;
    }
    if (ran || ready) continue;
    bool any = false;
    for (Fiber& f : w.fibers)
      if (f.state == IN_WARP) any |= complete(w, f);
    if (!any) return "deadlock: not all threads of a block reach the same barrier or warp operation";
  }
}

void run_plain(Worker& w, const std::vector<unsigned>& turns) {
  Fiber fiber{};
  w.current = &fiber;
  turn.stacks_end = (uint64_t)__builtin_frame_address(0), turn.stacks = turn.stacks_end - (1 << 20);
  if (spoiling) spoil_stack();
  for (unsigned next : turns) {
    fiber.linear = turn.thread = next;
    threadIdx = {next % blockDim.x, next / blockDim.x % blockDim.y, next / blockDim.x / blockDim.y};
    w.kernel->run(w.arguments);
  }
}

// OS threads that outlive a launch, with their stacks. The launching thread works too.
class Pool {
 public:
  static Pool& instance() {
    static auto one = new Pool;  // never destroyed: its threads run until the process ends
    return *one;
  }

  void run(unsigned count, const std::function<void()>& work) {
    std::unique_lock<std::mutex> turn(turn_);  // one launch at a time
    std::unique_lock<std::mutex> lock(mutex_);
    while (threads_ + 1 < count) std::thread([this, index = threads_++] { serve(index); }).detach();
    work_ = &work, wanted_ = count - 1, running_ = count - 1, generation_++;
    start_.notify_all();
    lock.unlock();
    work();
    lock.lock();
    done_.wait(lock, [this] { return running_ == 0; });
  }

 private:
  void serve(unsigned index) {
    uint64_t seen = 0;
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      start_.wait(lock, [&] { return generation_ != seen && index < wanted_; });
      seen = generation_;
      const std::function<void()>& work = *work_;
      lock.unlock();
      work();
      lock.lock();
      if (--running_ == 0) done_.notify_all();
    }
  }

  std::mutex turn_, mutex_;
  std::condition_variable start_, done_;
  const std::function<void()>* work_ = nullptr;
  unsigned threads_ = 0, wanted_ = 0, running_ = 0;
  uint64_t generation_ = 0;
};

}  // namespace

namespace {
Worker& own_worker() {
  static thread_local Worker own;
  return own;
}
}  // namespace

void spoil_fibers() {
  Worker& own = own_worker();
  const size_t few = std::min(own.stack_count, own.fibers.size());
  for (size_t i = 0; i < few; i++) {
    char* top = own.stacks + (i + 1) * kStack - 64 - (i * 192 & 2047);
    fill_random(top - 512, 512);
  }
}

std::string run_grid(const r3c_Kernel& kernel, void** arguments, const Geometry& geometry) {
  const uint64_t blocks = (uint64_t)geometry.grid.x * geometry.grid.y * geometry.grid.z;
  const size_t threads = (size_t)geometry.block.x * geometry.block.y * geometry.block.z;
  std::atomic<uint64_t> next{0};
  std::string failure;
  std::mutex failure_mutex;
  auto work = [&] {
    Worker& own = own_worker();
    use_alternate_stack();
    own.kernel = &kernel, own.arguments = arguments;
    if (own.shared.size() < geometry.shared_bytes + 256) own.shared.resize(geometry.shared_bytes + 256);
    Worker* outer = worker;
    worker = &own;
    if (watching) {
      find_shared(kernel, turn.shared[0]);
      turn.shared[1][0] = (uint64_t)own.shared.data(), turn.shared[1][1] = turn.shared[1][0] + own.shared.size();
    }
    blockDim = geometry.block, gridDim = geometry.grid;
    const std::vector<unsigned> same = order == RANDOM ? std::vector<unsigned>() : thread_order(threads, 0);
    for (uint64_t at; (at = next++) < blocks;) {
      const uint64_t b = order == DESCENDING ? blocks - 1 - at : at;
      blockIdx = {(unsigned)(b % geometry.grid.x), (unsigned)(b / geometry.grid.x % geometry.grid.y),
                  (unsigned)(b / geometry.grid.x / geometry.grid.y)};
      const std::vector<unsigned>& turns = order == RANDOM ? thread_order(threads, b) : same;
      settle_writes();
      turn.block = b, turn.barriers = 0;
      std::fill(std::begin(turn.syncs), std::end(turn.syncs), 0u);
      if (spoiling) spoil_shared(kernel), fill_random(own.shared.data(), own.shared.size());
      std::string why;
      if (kernel.fibers) why = run_with_fibers(own, threads, turns);
      else run_plain(own, turns);
      if (why.empty()) continue;
      std::lock_guard<std::mutex> lock(failure_mutex);
      failure = why;
      next = blocks;
    }
    worker = outer;
  };
  unsigned count = most_threads > 0 ? (unsigned)most_threads : std::thread::hardware_concurrency();
  if (blocks * threads < kAloneThreads) count = 1;
  count = (unsigned)std::max<uint64_t>(1, std::min<uint64_t>(count, blocks));
  if (count == 1) work();
  else Pool::instance().run(count, work);
  return failure;
}

}  // namespace r3c

using namespace r3c;

extern "C" {
r3c::BarrierResult r3c_barrier(unsigned predicate) {
  Worker& w = *worker;
  w.arriving.count += predicate != 0, w.arriving.any |= predicate != 0, w.arriving.all &= predicate != 0;
  w.current->state = AT_BARRIER;
  yield();
  return worker->released;
}

uint64_t r3c_collective(int what, unsigned mask, uint64_t value, unsigned source) {
  Fiber& f = *worker->current;
  f.what = what, f.mask = mask, f.value = value, f.source = source & 31;
  f.state = IN_WARP;
  if (!complete(*worker, f)) yield();
  return f.result;
}

unsigned r3c_lane(void) { return worker->current->linear & 31; }

// The lanes that have not ended; which of them are in the same branch is not known here.
unsigned r3c_active_mask(void) {
  const Worker& w = *worker;
  if (w.fibers.empty()) return 1u << (w.current->linear & 31);
  const unsigned base = w.current->linear & ~31u;
  unsigned mask = 0;
  for (unsigned l = 0; l < 32 && base + l < w.fibers.size(); l++)
    if (w.fibers[base + l].state != DONE) mask |= 1u << l;
  return mask;
}

void* r3c_dynamic_shared(void) { return (void*)(((uintptr_t)worker->shared.data() + 255) / 256 * 256); }
void r3c_set_order(int kind, uint64_t seed) { order = kind, order_seed = seed; }
void r3c_set_threads(int count) { most_threads = count; }
}
