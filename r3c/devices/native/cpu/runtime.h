// Inside the runtime library: what its sources share.
#pragma once
#include <cuda_runtime.h>
#include <stdarg.h>
#include <string>
#include <vector>

namespace r3c {

// --- memory.cpp ---
struct Block {
  uint64_t address, size_bytes;
  const char* kind;
};
std::vector<Block> live_blocks();
// Says where `address` lies in words: "40 bytes past the end of allocation 0x... of 4096 bytes".
void describe_address(uint64_t address, char* text, size_t size);
void install_fault_handler();
void use_alternate_stack();

// --- fibers.cpp ---
struct Geometry {
  dim3 grid{1, 1, 1}, block{1, 1, 1};
  size_t shared_bytes = 0;
  void* stream = nullptr;
};
// Random bytes where the fibers of the next launch will have their stacks.
void spoil_fibers();
// Runs every block; the error text is empty where all threads finished.
std::string run_grid(const r3c_Kernel& kernel, void** arguments, const Geometry& geometry);

// --- races.cpp ---
// Whose turn it is: what the kernel is doing right now, for those that watch it.
struct Turn {
  uint64_t block = 0;
  unsigned thread = 0, barriers = 0, syncs[32] = {};  // operations of each warp
  uint64_t stacks = 0, stacks_end = 0;
  uint64_t shared[2][2] = {};  // start and end of static and of dynamic shared memory
};
extern thread_local __attribute__((tls_model("initial-exec"))) Turn turn;
extern bool watching;
void settle_writes();

// --- leftovers.cpp ---
extern bool spoiling;  // every block starts with random bytes in shared memory and on stacks
void fill_random(char* at, size_t bytes);
void spoil_shared(const r3c_Kernel& kernel);
void spoil_stack();
void find_shared(const r3c_Kernel& kernel, uint64_t range[2]);

// --- runtime.cpp ---
struct Variables {
  const char* name;
  void* address;
  size_t size_bytes;
};

// Exit codes of a process that a kernel ends; r3c/devices/cpu.py knows them.
constexpr int kExitFault = 86, kExitTrap = 87;
}  // namespace r3c
