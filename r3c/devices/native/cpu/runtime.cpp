// Launches, errors, events and the device's description; records launches when R3C_CAPTURE asks for it.
#include <stdio.h>
#include <stdlib.h>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "capture.h"
#include "runtime.h"

namespace r3c {
namespace {

thread_local cudaError_t last_error = cudaSuccess;
thread_local Geometry pending;
std::mutex mutex;
std::map<const void*, const r3c_Kernel*>& kernels() {
  static auto one = new std::map<const void*, const r3c_Kernel*>;
  return *one;
}
std::vector<Variables>& variables() {
  static auto one = new std::vector<Variables>;
  return *one;
}
char failure_text[512];

double now_us() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// `void ns::r3c_stub_k(T*, int) [with T = float; int N = 4]` -> `ns::k<float, 4>`
std::string symbol_of(const r3c_Kernel& kernel) {
  std::string text = kernel.pretty;
  const size_t stub = text.find("r3c_stub_");
  if (stub == std::string::npos) return text;
  const size_t open = text.find('(', stub);
  size_t start = text.rfind(' ', stub);
  start = start == std::string::npos ? 0 : start + 1;
  std::string name = text.substr(start, open - start);
  name.erase(name.find("r3c_stub_"), 9);
  const size_t with = text.rfind("[with ");
  if (with == std::string::npos) return name;
  std::string list = text.substr(with + 6, text.rfind(']') - with - 6), out;
  size_t at = 0;
  while (at < list.size()) {
    size_t end = list.find("; ", at);
    if (end == std::string::npos) end = list.size();
    const std::string item = list.substr(at, end - at);
    const size_t equals = item.find(" = ");
    if (equals != std::string::npos) out += (out.empty() ? "" : ", ") + item.substr(equals + 3);
    at = end + 2;
  }
  return out.empty() ? name : name + "<" + out + ">";
}

capture::Writer& writer() {
  static auto one = [] {
    capture::Memory memory;
    memory.read = [](uint64_t address, void* to, uint64_t size) { return memcpy(to, (void*)address, size), true; };
    memory.allocations = [] {
      std::vector<capture::Allocation> out;
      for (const Block& b : live_blocks()) out.push_back({b.address, b.size_bytes, b.kind});
      return out;
    };
    memory.globals = [](const capture::Launch&) {
      std::vector<capture::Global> out;
      std::lock_guard<std::mutex> lock(mutex);
      for (const Variables& v : variables()) out.push_back({v.name, (uint64_t)v.address, v.size_bytes});
      return out;
    };
    auto made = new capture::Writer(memory);
    atexit([] { writer().finish(); });
    return made;
  }();
  return *one;
}

capture::Launch described(const r3c_Kernel& kernel, void** arguments, const Geometry& g) {
  capture::Launch out;
  out.kernel = kernel.name, out.symbol = symbol_of(kernel);
  out.grid[0] = g.grid.x, out.grid[1] = g.grid.y, out.grid[2] = g.grid.z;
  out.block[0] = g.block.x, out.block[1] = g.block.y, out.block[2] = g.block.z;
  out.shared_bytes = g.shared_bytes;
  for (unsigned i = 0; i < kernel.count; i++) {
    out.arguments.push_back({kernel.offsets[i], kernel.sizes[i]});
    out.packed.resize(kernel.offsets[i] + kernel.sizes[i]);
    memcpy(out.packed.data() + kernel.offsets[i], arguments[i], kernel.sizes[i]);
  }
  return out;
}

bool is_legal(const Geometry& g) {
  const uint64_t threads = (uint64_t)g.block.x * g.block.y * g.block.z;
  const uint64_t blocks = (uint64_t)g.grid.x * g.grid.y * g.grid.z;
  return threads >= 1 && threads <= 1024 && g.block.z <= 64 && blocks >= 1 && g.grid.y <= 65535 && g.grid.z <= 65535 &&
         g.shared_bytes <= (228 << 10);
}

void launch(const r3c_Kernel& kernel, void** arguments, const Geometry& geometry) {
  if (!is_legal(geometry)) {
    r3c_fail(cudaErrorInvalidConfiguration);
    return;
  }
  static const bool handled = (install_fault_handler(), true);
  (void)handled;
  const bool recording = writer().active();
  capture::Ticket ticket;
  if (recording) ticket = writer().begin(described(kernel, arguments, geometry));
  const double started = now_us();
  const std::string why = run_grid(kernel, arguments, geometry);
  if (recording) writer().end(ticket, now_us() - started);
  if (why.empty()) return;
  snprintf(failure_text, sizeof failure_text, "%s: %s", kernel.name, why.c_str());
  fprintf(stderr, "r3c: %s\n", failure_text);
  r3c_fail(cudaErrorLaunchFailure);
}

struct ErrorName {
  cudaError_t error;
  const char *name, *text;
};
const ErrorName error_names[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
};

}  // namespace
}  // namespace r3c

using namespace r3c;

struct r3c_Event {
  double us;
};
struct r3c_Stream {
  int unused;
};

extern "C" {

void r3c_configure(dim3 grid, dim3 block, size_t shared_bytes, void* stream) { pending = {grid, block, shared_bytes, stream}; }
void r3c_launch(const r3c_Kernel* kernel, void** arguments) { launch(*kernel, arguments, pending); }

// A launch of the replay: 0 where it ran, else the error; r3c_failure says why.
int r3c_replay(const r3c_Kernel* kernel, const unsigned* shape, size_t shared_bytes, char* packed) {
  void* arguments[256];
  for (unsigned i = 0; i < kernel->count; i++) arguments[i] = packed + kernel->offsets[i];
  last_error = cudaSuccess, failure_text[0] = 0;
  launch(*kernel, arguments, {{shape[0], shape[1], shape[2]}, {shape[3], shape[4], shape[5]}, shared_bytes, nullptr});
  return last_error;
}
double r3c_time_us(const r3c_Kernel* kernel, const unsigned* shape, size_t shared_bytes, char* packed, unsigned launches) {
  // Spoilt before each launch and outside of its time: nothing of an earlier one can be of use to it.
  const bool spoilt = spoiling;
  double total = 0;
  bool failed = false;
  for (unsigned i = 0; i < launches && !failed; i++) {
    if (spoilt) spoil_shared(*kernel), spoil_stack(), spoil_fibers();
    spoiling = false;
    const double started = now_us();
    failed = r3c_replay(kernel, shape, shared_bytes, packed) != 0;
    total += now_us() - started;
    spoiling = spoilt;
  }
  return failed ? -1 : total / launches;
}
const char* r3c_failure(void) { return failure_text[0] ? failure_text : r3c_error_text(last_error); }

void r3c_register_kernel(const void* function, const r3c_Kernel* kernel) {
  std::lock_guard<std::mutex> lock(mutex);
  kernels()[function] = kernel;
}
const r3c_Kernel* r3c_find_kernel(const void* function) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = kernels().find(function);
  return found == kernels().end() ? nullptr : found->second;
}
void r3c_register_variable(const char* name, void* address, size_t size_bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  variables().push_back({name, address, size_bytes});
}

cudaError_t r3c_memcpy(void* to, const void* from, size_t size_bytes, int kind) {
  if (size_bytes == 0) return cudaSuccess;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (!to || !from || (to_device && r3c_pointer_kind(to) == 0) || (from_device && r3c_pointer_kind(from) == 0)) {
    // A symbol's address is device memory too, and lies in no allocation.
    bool symbol = false;
    std::lock_guard<std::mutex> lock(mutex);
    for (const Variables& v : variables()) {
      const char* p = (const char*)(to_device && r3c_pointer_kind(to) == 0 ? to : from);
      symbol |= p >= (char*)v.address && p < (char*)v.address + v.size_bytes;
    }
    if (!symbol) return r3c_fail(cudaErrorInvalidValue);
  }
  memmove(to, from, size_bytes);
  return cudaSuccess;
}
cudaError_t r3c_memset(void* to, int value, size_t size_bytes) {
  if (size_bytes && !to) return r3c_fail(cudaErrorInvalidValue);
  memset(to, value, size_bytes);
  return cudaSuccess;
}

cudaError_t r3c_fail(cudaError_t error) { return last_error = error; }
cudaError_t r3c_last_error(int reset) {
  const cudaError_t error = last_error;
  if (reset) last_error = cudaSuccess;
  return error;
}
const char* r3c_error_name(cudaError_t error) {
  for (const ErrorName& one : error_names)
    if (one.error == error) return one.name;
  return "cudaErrorUnknown";
}
const char* r3c_error_text(cudaError_t error) {
  for (const ErrorName& one : error_names)
    if (one.error == error) return one.text;
  return "unknown error";
}

cudaError_t r3c_event_create(cudaEvent_t* event) { return *event = new r3c_Event{0}, cudaSuccess; }
cudaError_t r3c_event_record(cudaEvent_t event) {
  if (!event) return r3c_fail(cudaErrorInvalidResourceHandle);
  event->us = now_us();
  return cudaSuccess;
}
cudaError_t r3c_event_destroy(cudaEvent_t event) { return delete event, cudaSuccess; }
cudaError_t r3c_event_elapsed(float* ms, cudaEvent_t first, cudaEvent_t last) {
  if (!first || !last) return r3c_fail(cudaErrorInvalidResourceHandle);
  *ms = (float)((last->us - first->us) / 1e3);
  return cudaSuccess;
}
cudaError_t r3c_stream_create(cudaStream_t* stream) { return *stream = new r3c_Stream{0}, cudaSuccess; }
cudaError_t r3c_stream_destroy(cudaStream_t stream) { return delete stream, cudaSuccess; }

cudaError_t r3c_device_properties(cudaDeviceProp* p) {
  *p = {};
  snprintf(p->name, sizeof p->name, "r3c CPU device");
  p->totalGlobalMem = (size_t)4 << 30, p->sharedMemPerBlock = 48 << 10, p->sharedMemPerBlockOptin = 227 << 10;
  p->sharedMemPerMultiprocessor = 228 << 10, p->regsPerBlock = p->regsPerMultiprocessor = 65536, p->warpSize = 32;
  p->maxThreadsPerBlock = 1024, p->maxThreadsPerMultiProcessor = 2048, p->maxBlocksPerMultiProcessor = 32;
  p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024, p->maxThreadsDim[2] = 64;
  p->maxGridSize[0] = 0x7fffffff, p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  p->major = 8, p->minor = 0, p->clockRate = 1000000, p->memoryClockRate = 1000000, p->memoryBusWidth = 64;
  p->multiProcessorCount = (int)std::max(1u, std::thread::hardware_concurrency());
  p->l2CacheSize = 1 << 20, p->totalConstMem = 64 << 10, p->memPitch = 0x7fffffff, p->textureAlignment = 512;
  p->unifiedAddressing = p->managedMemory = p->concurrentManagedAccess = p->canMapHostMemory = 1;
  return cudaSuccess;
}
cudaError_t r3c_device_attribute(int* value, int attribute) {
  cudaDeviceProp p;
  r3c_device_properties(&p);
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = (int)p.sharedMemPerBlock; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = (int)p.sharedMemPerBlockOptin; break;
    case cudaDevAttrWarpSize: *value = 32; break;
    case cudaDevAttrClockRate: *value = p.clockRate; break;
    case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = p.maxThreadsPerMultiProcessor; break;
    case cudaDevAttrL2CacheSize: *value = p.l2CacheSize; break;
    case cudaDevAttrComputeCapabilityMajor: *value = p.major; break;
    case cudaDevAttrComputeCapabilityMinor: *value = p.minor; break;
    case cudaDevAttrManagedMemory:
    case cudaDevAttrConcurrentManagedAccess: *value = 1; break;
    default: *value = 0;
  }
  return cudaSuccess;
}
unsigned long long r3c_clock(void) { return (unsigned long long)(now_us() * 1e3); }
void r3c_trap(void) { __builtin_trap(); }
}
