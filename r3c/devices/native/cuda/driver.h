// The driver functions the recorder calls, found in the libcuda the application already loaded.
#pragma once
#include <cuda.h>
#include <cupti.h>
#include <dlfcn.h>
#include <link.h>
#include <cstdlib>
#include <cstring>
#include <string>

namespace r3c {

struct Cupti {
  CUptiResult (*Subscribe)(CUpti_SubscriberHandle*, CUpti_CallbackFunc, void*);
  CUptiResult (*EnableCallback)(uint32_t, CUpti_SubscriberHandle, CUpti_CallbackDomain, CUpti_CallbackId);

  bool load() {
    const char* path = getenv("R3C_CUPTI");
    std::string loaded;  // by the application, as torch does; a second copy would have nothing to say
    dl_iterate_phdr(&note_cupti, &loaded);
    void* library = dlopen(!loaded.empty() ? loaded.c_str() : path ? path : "libcupti.so", RTLD_NOW);
    if (!library) return false;
    Subscribe = reinterpret_cast<decltype(Subscribe)>(dlsym(library, "cuptiSubscribe"));
    EnableCallback = reinterpret_cast<decltype(EnableCallback)>(dlsym(library, "cuptiEnableCallback"));
    return Subscribe && EnableCallback;
  }

  static int note_cupti(dl_phdr_info* info, size_t, void* found) {
    if (info->dlpi_name && strstr(info->dlpi_name, "libcupti.so")) *static_cast<std::string*>(found) = info->dlpi_name;
    return 0;
  }
};

struct Driver {
  CUresult (*CtxSynchronize)();
  CUresult (*CtxGetCurrent)(CUcontext*);
  CUresult (*CtxGetLimit)(size_t*, CUlimit);
  CUresult (*CtxGetDevice)(CUdevice*);
  CUresult (*DeviceGetName)(char*, int, CUdevice);
  CUresult (*MemcpyDtoH)(void*, CUdeviceptr, size_t);
  CUresult (*MemHostRegister)(void*, size_t, unsigned);
  CUresult (*FuncGetName)(const char**, CUfunction);
  CUresult (*FuncGetParamInfo)(CUfunction, size_t, size_t*, size_t*);
  CUresult (*FuncGetAttribute)(int*, CUfunction_attribute, CUfunction);
  CUresult (*FuncGetModule)(CUmodule*, CUfunction);
  CUresult (*KernelGetName)(const char**, CUkernel);
  CUresult (*KernelGetParamInfo)(CUkernel, size_t, size_t*, size_t*);
  CUresult (*KernelGetFunction)(CUfunction*, CUkernel);
  CUresult (*KernelGetLibrary)(CUlibrary*, CUkernel);
  CUresult (*LibraryGetGlobal)(CUdeviceptr*, size_t*, CUlibrary, const char*);
  CUresult (*ModuleGetGlobal)(CUdeviceptr*, size_t*, CUmodule, const char*);
  CUresult (*StreamIsCapturing)(CUstream, CUstreamCaptureStatus*);
  CUresult (*PointerGetAttribute)(void*, CUpointer_attribute, CUdeviceptr);
  CUresult (*EventCreate)(CUevent*, unsigned);
  CUresult (*EventRecord)(CUevent, CUstream);
  CUresult (*EventSynchronize)(CUevent);
  CUresult (*EventElapsedTime)(float*, CUevent, CUevent);
  CUresult (*EventDestroy)(CUevent);

  bool load() {
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    if (!library) library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library) return false;
    bool all = true;
    auto find = [&](auto& target, const char* name) {
      target = reinterpret_cast<std::decay_t<decltype(target)>>(dlsym(library, name));
      all = all && target;
    };
    find(CtxSynchronize, "cuCtxSynchronize");
    find(CtxGetCurrent, "cuCtxGetCurrent");
    find(CtxGetLimit, "cuCtxGetLimit");
    find(CtxGetDevice, "cuCtxGetDevice");
    find(DeviceGetName, "cuDeviceGetName");
    find(MemcpyDtoH, "cuMemcpyDtoH_v2");
    find(MemHostRegister, "cuMemHostRegister_v2");
    find(FuncGetName, "cuFuncGetName");
    find(FuncGetParamInfo, "cuFuncGetParamInfo");
    find(FuncGetAttribute, "cuFuncGetAttribute");
    find(FuncGetModule, "cuFuncGetModule");
    find(KernelGetName, "cuKernelGetName");
    find(KernelGetParamInfo, "cuKernelGetParamInfo");
    find(KernelGetFunction, "cuKernelGetFunction");
    find(KernelGetLibrary, "cuKernelGetLibrary");
    find(LibraryGetGlobal, "cuLibraryGetGlobal");
    find(ModuleGetGlobal, "cuModuleGetGlobal_v2");
    find(StreamIsCapturing, "cuStreamIsCapturing");
    find(PointerGetAttribute, "cuPointerGetAttribute");
    find(EventCreate, "cuEventCreate");
    find(EventRecord, "cuEventRecord");
    find(EventSynchronize, "cuEventSynchronize");
    find(EventElapsedTime, "cuEventElapsedTime");
    find(EventDestroy, "cuEventDestroy_v2");
    return all;
  }
};

}  // namespace r3c
