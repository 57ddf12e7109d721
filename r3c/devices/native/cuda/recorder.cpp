// Records kernel launches of an unmodified CUDA program: the driver loads this library named in CUDA_INJECTION64_PATH.
//
// CUPTI calls back at every launch, allocation and module load; what is copied and where it goes is capture.h's.
#include <cupti.h>
#include <atomic>
#include <deque>
#include <memory>

#include "allocations.h"
#include "capture.h"
#include "cubin.h"
#include "driver.h"
#include "names.h"
#include "refusals.h"

namespace r3c {

static thread_local bool inside = false;  // a call of our own, made from a callback

// One launch as the several driver entry points give it.
struct Call {
  CUfunction function = nullptr;
  CUstream stream = nullptr;
  void** parameters = nullptr;
  void** extra = nullptr;
  bool cooperative = false;
  const CUlaunchConfig* config = nullptr;
  capture::Launch launch;
};

struct Timed {
  capture::Ticket ticket;
  CUevent first, last;
};

class Recorder {
 public:
  bool start() {
    if (!driver_.load() || !cupti_.load()) return complain("libcuda or libcupti cannot be loaded");
    capture::Memory memory;
    memory.read = [this](uint64_t address, void* to, uint64_t size) { return read(address, to, size); };
    memory.allocations = [this] { return allocations_.live(); };
    memory.globals = [this](const capture::Launch& launch) { return globals(launch); };
    memory.pin = [this](void* at, uint64_t size) { driver_.MemHostRegister(at, size, CU_MEMHOSTREGISTER_PORTABLE); };
    writer_ = std::make_unique<capture::Writer>(memory);
    if (!writer_->active()) return false;
    CUpti_SubscriberHandle subscriber;
    CUptiResult answer = cupti_.Subscribe(&subscriber, &Recorder::callback, this);
    if (answer != CUPTI_SUCCESS) {
      refuse("*", "CUPTI is taken by another tool of this process (a profiler or debugger): run without it");
      return false;
    }
    for (auto id : launch_callbacks()) cupti_.EnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, id);
    for (auto id : Allocations::callbacks()) cupti_.EnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, id);
    for (auto id : {CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz})
      cupti_.EnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, id);
    cupti_.EnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED);
    return true;
  }

  void finish() {
    if (!writer_) return;
    collect(true);
    writer_->finish();
  }

 private:
  static const std::vector<CUpti_CallbackId>& launch_callbacks() {
    static const std::vector<CUpti_CallbackId> ids = {
        CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,            CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
        CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,          CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
        CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel, CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
        CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernelMultiDevice,
    };
    return ids;
  }

  bool complain(const char* text) {
    fprintf(stderr, "r3c recorder: %s\n", text);
    return false;
  }

  static void callback(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
    const bool ours = inside;
    if (ours && domain != CUPTI_CB_DOMAIN_RESOURCE) return;  // a lazy module may be loaded by a question of ours
    inside = true;
    static_cast<Recorder*>(self)->handle(domain, id, data);
    inside = ours;
  }

  void handle(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
    if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
      auto resource = static_cast<const CUpti_ResourceData*>(data);
      return module_loaded(static_cast<const CUpti_ModuleResourceData*>(resource->resourceDescriptor));
    }
    auto call = static_cast<const CUpti_CallbackData*>(data);
    if (id == CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch || id == CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz) {
      if (call->callbackSite == CUPTI_API_ENTER)
        refuse("*", "launches inside a CUDA graph are not seen one by one: run the application with its graphs off");
      return;
    }
    for (auto launch : launch_callbacks())
      if (launch == id) return on_launch(id, call);
    allocations_.observe(id, call);
  }

  void module_loaded(const CUpti_ModuleResourceData* module) {
    if (!module->pCubin || !module->cubinSize) return;
    std::lock_guard<std::mutex> lock(mutex_);
    modules_.push_back({std::string(module->pCubin, module->cubinSize)});
    module_of_.clear();
  }

  // --- launches ---------------------------------------------------------------------------------------------------

  void on_launch(CUpti_CallbackId id, const CUpti_CallbackData* data) {
    auto correlation = static_cast<uint64_t*>(data->correlationData);
    if (data->callbackSite == CUPTI_API_EXIT) {
      auto running = reinterpret_cast<Running*>(*correlation);
      *correlation = 0;
      if (running) leave(running);
      return;
    }
    *correlation = 0;
    Call call;
    if (!read_call(id, data->functionParams, call)) return;
    if (!describe(call)) return;
    const std::string why = refusal(call);
    if (!why.empty()) return refuse(call.launch.kernel, why);
    *correlation = reinterpret_cast<uint64_t>(enter(call));
  }

  struct Running {
    Timed timed;
    CUstream stream;
  };

  Running* enter(Call& call) {
    auto running = new Running{{}, call.stream};
    running->timed.ticket = writer_->begin(call.launch);
    driver_.EventCreate(&running->timed.first, CU_EVENT_DEFAULT);
    driver_.EventCreate(&running->timed.last, CU_EVENT_DEFAULT);
    driver_.EventRecord(running->timed.first, call.stream);
    return running;
  }

  void leave(Running* running) {
    Timed timed = running->timed;
    driver_.EventRecord(timed.last, running->stream);
    delete running;
    if (timed.ticket.recording) {
      driver_.CtxSynchronize();
      float ms = 0;
      driver_.EventElapsedTime(&ms, timed.first, timed.last);
      release(timed);
      return writer_->end(timed.ticket, ms * 1e3);
    }
    writer_->end(timed.ticket, 0);
    std::lock_guard<std::mutex> lock(mutex_);
    pending_.push_back(timed);
    if (pending_.size() > kPending) collect_locked(false);
  }

  void collect(bool all) {
    std::lock_guard<std::mutex> lock(mutex_);
    collect_locked(all);
  }

  void collect_locked(bool all) {
    while (!pending_.empty() && (all || pending_.size() > kPending / 2)) {
      Timed timed = pending_.front();
      pending_.pop_front();
      float ms = 0;
      if (driver_.EventSynchronize(timed.last) == CUDA_SUCCESS &&
          driver_.EventElapsedTime(&ms, timed.first, timed.last) == CUDA_SUCCESS)
        writer_->add_time(timed.ticket, ms * 1e3);
      release(timed);
    }
  }

  void release(const Timed& timed) {
    driver_.EventDestroy(timed.first);
    driver_.EventDestroy(timed.last);
  }

  template <class T>
  static void shape(const T& p, Call& call) {
    call.launch.grid[0] = p.gridDimX, call.launch.grid[1] = p.gridDimY, call.launch.grid[2] = p.gridDimZ;
    call.launch.block[0] = p.blockDimX, call.launch.block[1] = p.blockDimY, call.launch.block[2] = p.blockDimZ;
    call.launch.shared_bytes = p.sharedMemBytes;
    call.stream = p.hStream;
  }

  bool read_call(CUpti_CallbackId id, const void* data, Call& call) {
    switch (id) {
      case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
      case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz: {
        auto& p = *static_cast<const cuLaunchKernel_params*>(data);
        call.function = p.f, call.parameters = p.kernelParams, call.extra = p.extra;
        shape(p, call);
        return true;
      }
      case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
      case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz: {
        auto& p = *static_cast<const cuLaunchKernelEx_params*>(data);
        call.function = p.f, call.parameters = p.kernelParams, call.extra = p.extra, call.config = p.config;
        shape(*p.config, call);
        return true;
      }
      case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
      case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz: {
        auto& p = *static_cast<const cuLaunchCooperativeKernel_params*>(data);
        call.function = p.f, call.parameters = p.kernelParams, call.cooperative = true;
        shape(p, call);
        return true;
      }
      default:
        refuse("*", "one launch on several devices cannot be recorded");
        return false;
    }
  }

  // A launch may name its kernel by CUfunction or by CUkernel; only one kind of query answers.
  bool describe(Call& call) {
    auto kernel = reinterpret_cast<CUkernel>(call.function);
    const char* symbol = nullptr;
    const bool library = driver_.FuncGetName(&symbol, call.function) != CUDA_SUCCESS;
    if (library && driver_.KernelGetName(&symbol, kernel) != CUDA_SUCCESS) return false;
    call.launch.symbol = symbol;
    call.launch.kernel = source_name(symbol);
    std::vector<capture::Argument> arguments;
    for (size_t i = 0;; i++) {
      size_t offset, size;
      CUresult answer = library ? driver_.KernelGetParamInfo(kernel, i, &offset, &size)
                                : driver_.FuncGetParamInfo(call.function, i, &offset, &size);
      if (answer != CUDA_SUCCESS) break;
      arguments.push_back({offset, size});
    }
    call.launch.arguments = arguments;
    pack(call);
    describe_attributes(call, library);
    attach_module(call.launch);
    return true;
  }

  static void pack(Call& call) {
    auto& packed = call.launch.packed;
    size_t size = 0;
    for (auto& a : call.launch.arguments) size = std::max<size_t>(size, a.offset_bytes + a.size_bytes);
    packed.assign(size, 0);
    if (call.parameters) {
      for (size_t i = 0; i < call.launch.arguments.size(); i++) {
        auto& a = call.launch.arguments[i];
        memcpy(packed.data() + a.offset_bytes, call.parameters[i], a.size_bytes);
      }
      return;
    }
    for (void** entry = call.extra; entry && *entry != CU_LAUNCH_PARAM_END; entry += 2)
      if (entry[0] == CU_LAUNCH_PARAM_BUFFER_POINTER) {
        size_t given = size;
        for (void** other = call.extra; *other != CU_LAUNCH_PARAM_END; other += 2)
          if (other[0] == CU_LAUNCH_PARAM_BUFFER_SIZE) given = *static_cast<size_t*>(other[1]);
        packed.resize(std::max(size, given));
        memcpy(packed.data(), entry[1], given);
      }
  }

  void describe_attributes(Call& call, bool library) {
    auto& out = call.launch.attributes;
    CUfunction function = call.function;
    if (library && driver_.KernelGetFunction(&function, reinterpret_cast<CUkernel>(call.function)) != CUDA_SUCCESS)
      return;
    int value = 0;
    auto read = [&](CUfunction_attribute what, const char* name) {
      if (driver_.FuncGetAttribute(&value, what, function) == CUDA_SUCCESS) out[name] = value;
    };
    read(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, "max_dynamic_shared_size_bytes");
    read(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, "preferred_shared_memory_carveout");
    read(CU_FUNC_ATTRIBUTE_NUM_REGS, "registers");
    size_t stack_bytes = 0;
    if (driver_.CtxGetLimit(&stack_bytes, CU_LIMIT_STACK_SIZE) == CUDA_SUCCESS) out["limit_stack_size"] = stack_bytes;
    if (call.cooperative) out["cooperative"] = 1;
    for (unsigned i = 0; call.config && i < call.config->numAttrs; i++) {
      const CUlaunchAttribute& a = call.config->attrs[i];
      if (a.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE && a.value.cooperative) out["cooperative"] = 1;
      if (a.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
        out["cluster_x"] = a.value.clusterDim.x, out["cluster_y"] = a.value.clusterDim.y,
        out["cluster_z"] = a.value.clusterDim.z;
    }
    last_function_ = function;
    last_library_ = nullptr;
    if (library) driver_.KernelGetLibrary(&last_library_, reinterpret_cast<CUkernel>(call.function));
  }

  void attach_module(capture::Launch& launch) {
    std::lock_guard<std::mutex> lock(mutex_);
    auto known = module_of_.find(launch.symbol);
    if (known == module_of_.end()) {
      const Cubin* found = nullptr;
      for (auto& module : modules_)
        if (!found && module.has_kernel(launch.symbol)) found = &module;
      known = module_of_.emplace(launch.symbol, found).first;
    }
    current_ = known->second;
    if (!current_) return;
    std::string& saved = saved_[current_];
    launch.module = saved.empty() ? saved = save(*current_) : saved;
  }

  std::string save(const Cubin& module) { return writer_->save_module(module.bytes.data(), module.bytes.size()); }

  std::string refusal(const Call& call) {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    driver_.StreamIsCapturing(call.stream, &status);
    if (status != CU_STREAM_CAPTURE_STATUS_NONE)
      return "the launch is being captured into a CUDA graph: run the application with its graphs off";
    if (call.launch.module.empty()) return "its machine code was loaded before the recorder and is not known";
    for (size_t at = 0; at + 8 <= call.launch.packed.size(); at += 8) {
      uint64_t word;
      memcpy(&word, call.launch.packed.data() + at, 8);
      if (allocations_.is_texture(word)) return "it takes a texture or surface object";
    }
    return refusals_.of(current_, call.launch.symbol);
  }

  void refuse(const std::string& kernel, const std::string& why) { writer_->leave_out(kernel, why); }

  // --- memory -----------------------------------------------------------------------------------------------------

  bool read(uint64_t address, void* to, uint64_t size) {
    if (driver_.CtxSynchronize() != CUDA_SUCCESS) return false;
    if (allocations_.is_host(address)) return memcpy(to, reinterpret_cast<void*>(address), size), true;
    return driver_.MemcpyDtoH(to, address, size) == CUDA_SUCCESS;
  }

  std::vector<capture::Global> globals(const capture::Launch&) {
    std::vector<capture::Global> out;
    if (!current_) return out;
    CUmodule module = nullptr;
    if (!last_library_ && driver_.FuncGetModule(&module, last_function_) != CUDA_SUCCESS) return out;
    for (auto& variable : current_->variables()) {
      CUdeviceptr address = 0;
      size_t size = 0;
      CUresult answer = last_library_
                            ? driver_.LibraryGetGlobal(&address, &size, last_library_, variable.name.c_str())
                            : driver_.ModuleGetGlobal(&address, &size, module, variable.name.c_str());
      if (answer == CUDA_SUCCESS) out.push_back({variable.name, address, size});
    }
    return out;
  }

  static constexpr size_t kPending = 4096;

  Driver driver_;
  Cupti cupti_;
  Allocations allocations_;
  std::unique_ptr<capture::Writer> writer_;
  std::mutex mutex_;
  std::deque<Cubin> modules_;
  std::map<std::string, const Cubin*> module_of_;  // by kernel
  std::map<const Cubin*, std::string> saved_;
  std::deque<Timed> pending_;
  Refusals refusals_;
  static thread_local const Cubin* current_;
  static thread_local CUfunction last_function_;
  static thread_local CUlibrary last_library_;
};

thread_local const Cubin* Recorder::current_ = nullptr;
thread_local CUfunction Recorder::last_function_ = nullptr;
thread_local CUlibrary Recorder::last_library_ = nullptr;

static Recorder& recorder() {
  static auto one = new Recorder;  // never destroyed: the driver may call back while the process ends
  return *one;
}

static void finish() {
  inside = true;
  recorder().finish();
  inside = false;
}

}  // namespace r3c

extern "C" int InitializeInjection(void) {
  if (r3c::recorder().start()) atexit(r3c::finish);
  return 1;
}
