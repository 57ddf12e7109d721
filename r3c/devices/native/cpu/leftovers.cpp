// What a launch leaves behind where no one looks: shared memory (thread-local here) and stacks. No kernel may count on it.
#include <link.h>
#include <unordered_map>

#include "runtime.h"

extern "C" void* __tls_get_addr(size_t* index);

namespace r3c {

bool spoiling = false;

namespace {

uint64_t state = 0x9E3779B97F4A7C15ull;

uint64_t random_word() {  // xorshift64*
  state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
  return state * 0x2545F4914F6CDD1Dull;
}

struct ThreadLocals {
  uint64_t module = 0;  // its number, 0 where it has no thread-local variables
  const char* image = nullptr;
  size_t image_bytes = 0, bytes = 0;
};

struct Asked {
  uint64_t code;
  ThreadLocals found;
};

int look(dl_phdr_info* info, size_t, void* data) {
  auto* asked = (Asked*)data;
  bool own = false;
  ThreadLocals locals;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const auto& part = info->dlpi_phdr[i];
    const uint64_t start = info->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD) own |= asked->code >= start && asked->code < start + part.p_memsz;
    if (part.p_type == PT_TLS) locals = {info->dlpi_tls_modid, (const char*)start, part.p_filesz, part.p_memsz};
  }
  if (own) asked->found = locals;
  return own;
}

const ThreadLocals& thread_locals_of(const r3c_Kernel& kernel) {
  static auto known = new std::unordered_map<const void*, ThreadLocals>;
  auto at = known->find(&kernel);
  if (at != known->end()) return at->second;
  Asked asked{(uint64_t)kernel.run, {}};
  dl_iterate_phdr(look, &asked);
  return (*known)[&kernel] = asked.found;
}

}  // namespace

void fill_random(char* at, size_t bytes) {
  for (; bytes >= 8; at += 8, bytes -= 8) {
    const uint64_t word = random_word();
    memcpy(at, &word, 8);
  }
  for (; bytes; at++, bytes--) *at = (char)random_word();
}

void spoil_shared(const r3c_Kernel& kernel) {
  const ThreadLocals& locals = thread_locals_of(kernel);
  if (!locals.module) return;
  size_t index[2] = {locals.module, 0};
  char* start = (char*)__tls_get_addr(index);
  memcpy(start, locals.image, locals.image_bytes);
  fill_random(start + locals.image_bytes, locals.bytes - locals.image_bytes);
}

void find_shared(const r3c_Kernel& kernel, uint64_t range[2]) {
  const ThreadLocals& locals = thread_locals_of(kernel);
  size_t index[2] = {locals.module, 0};
  range[0] = locals.module ? (uint64_t)__tls_get_addr(index) : 0;
  range[1] = range[0] + locals.bytes;
}

// The stack below the caller's frame, where a kernel without fibers will have its own.
__attribute__((noinline)) void spoil_stack() {
  char below[16 << 10];
  fill_random(below, sizeof below);
  asm volatile("" : : "r"(below) : "memory");
}

}  // namespace r3c

extern "C" {
void r3c_set_spoiling(int on, uint64_t seed) {
  r3c::spoiling = on != 0;
  if (seed) r3c::state = seed;
}
}
