// Device memory: a fixed range of addresses, every allocation ends next to a page that faults.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <map>
#include <mutex>

#include "runtime.h"

namespace r3c {

// Quiet on x86-64 and on aarch64 with 39-bit addresses; the same in every process, so recordings find their places.
static constexpr uint64_t kBase = 0x2000000000ull, kEnd = 0x6000000000ull;
static constexpr uint64_t kAlign = 16;  // so an overrun of up to 15 bytes may pass: the next byte faults

struct Held {
  Block block;
  uint64_t map, map_bytes;
};

static std::mutex mutex;
static std::map<uint64_t, Held> held;
static uint64_t next_map = kBase;

static uint64_t page() {
  static const uint64_t size = (uint64_t)sysconf(_SC_PAGESIZE);
  return size;
}
static uint64_t up(uint64_t n, uint64_t to) { return (n + to - 1) / to * to; }

static bool map_pages(uint64_t at, uint64_t bytes) {
  void* got = mmap((void*)at, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
  if (got == MAP_FAILED) return false;
  if (got != (void*)at) return munmap(got, bytes), false;
  return true;
}

std::vector<Block> live_blocks() {
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<Block> out;
  for (auto& one : held) out.push_back(one.second.block);
  return out;
}

void describe_address(uint64_t address, char* text, size_t size) {
  const Block* before = nullptr;
  for (auto& one : held) {  // no lock: called while a thread dies
    if (one.first > address) {
      if (one.first - address < 4096 && (!before || address - before->address - before->size_bytes > 4096)) {
        snprintf(text, size, "%llu bytes before allocation 0x%llx of %llu bytes", (unsigned long long)(one.first - address),
                 (unsigned long long)one.first, (unsigned long long)one.second.block.size_bytes);
        return;
      }
      break;
    }
    before = &one.second.block;
  }
  if (before && address - before->address < before->size_bytes + (1ull << 30))
    snprintf(text, size, "%llu bytes past the end of allocation 0x%llx of %llu bytes",
             (unsigned long long)(address - before->address - before->size_bytes), (unsigned long long)before->address,
             (unsigned long long)before->size_bytes);
  else
    snprintf(text, size, "in no allocation");
}

static void on_fault(int signal, siginfo_t* info, void*) {
  char where[160], line[256];
  if (signal == SIGSEGV || signal == SIGBUS) {
    describe_address((uint64_t)info->si_addr, where, sizeof where);
    snprintf(line, sizeof line, "r3c: illegal memory access at 0x%llx: %s\n", (unsigned long long)info->si_addr, where);
  } else {
    snprintf(line, sizeof line, "r3c: the kernel was stopped by %s\n",
             signal == SIGFPE ? "an integer division by zero" : "a trap");
  }
  ssize_t ignored = write(2, line, strlen(line));
  (void)ignored;
  _exit(signal == SIGSEGV || signal == SIGBUS ? kExitFault : kExitTrap);
}

void install_fault_handler() {
  struct sigaction action = {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) sigaction(signal, &action, nullptr);
}

// A fiber that overran its stack has none left to handle the fault on.
void use_alternate_stack() {
  static thread_local char* stack = nullptr;
  if (stack) return;
  const size_t bytes = 64 << 10;
  stack = (char*)malloc(bytes);
  stack_t alternate = {};
  alternate.ss_sp = stack, alternate.ss_size = bytes;
  sigaltstack(&alternate, nullptr);
}

}  // namespace r3c

using namespace r3c;

extern "C" {

cudaError_t r3c_malloc(void** pointer, size_t size_bytes, const char* kind) {
  if (!pointer) return r3c_fail(cudaErrorInvalidValue);
  std::lock_guard<std::mutex> lock(mutex);
  if (size_bytes == 0) return *pointer = nullptr, cudaSuccess;
  const uint64_t bytes = up(size_bytes, page());
  if (next_map + bytes + 2 * page() > kEnd) return r3c_fail(cudaErrorMemoryAllocation);
  const uint64_t at = next_map + page();  // the page before it stays unmapped
  if (!map_pages(at, bytes)) return r3c_fail(cudaErrorMemoryAllocation);
  next_map = at + bytes;
  const uint64_t address = at + bytes - up(size_bytes, kAlign);
  held[address] = {{address, size_bytes, kind}, at, bytes};
  *pointer = (void*)address;
  return cudaSuccess;
}

cudaError_t r3c_free(void* pointer) {
  if (!pointer) return cudaSuccess;
  std::lock_guard<std::mutex> lock(mutex);
  auto found = held.find((uint64_t)pointer);
  if (found == held.end()) return r3c_fail(cudaErrorInvalidValue);
  munmap((void*)found->second.map, found->second.map_bytes);
  held.erase(found);
  return cudaSuccess;
}

// Memory at a recorded address; its neighbours fault as they did when it was recorded.
int r3c_map(uint64_t address, uint64_t size_bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  const uint64_t at = address / page() * page();
  const uint64_t bytes = up(address + size_bytes, page()) - at;
  if (!map_pages(at, bytes)) return errno ? errno : -1;
  held[address] = {{address, size_bytes, "device"}, at, bytes};
  if (at + bytes > next_map && at < kEnd) next_map = at + bytes;
  return 0;
}

int r3c_pointer_kind(const void* pointer) {
  std::lock_guard<std::mutex> lock(mutex);
  auto after = held.upper_bound((uint64_t)pointer);
  if (after == held.begin()) return 0;
  const Block& block = std::prev(after)->second.block;
  if ((uint64_t)pointer - block.address >= block.size_bytes) return 0;
  return block.kind[0] == 'h' ? 1 : block.kind[0] == 'm' ? 3 : 2;
}
}
