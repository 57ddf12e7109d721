// The CUDA runtime API on the host: memory in an arena with guard pages, synchronous streams, errors by value.
#pragma once
#include "r3c_launch.h"

typedef enum cudaError {
  cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2, cudaErrorInitializationError = 3,
  cudaErrorInvalidConfiguration = 9, cudaErrorInvalidPitchValue = 12, cudaErrorInvalidSymbol = 13,
  cudaErrorInvalidDevicePointer = 17, cudaErrorInvalidMemcpyDirection = 21, cudaErrorInsufficientDriver = 35,
  cudaErrorInvalidDeviceFunction = 98, cudaErrorNoDevice = 100, cudaErrorInvalidDevice = 101,
  cudaErrorInvalidResourceHandle = 400, cudaErrorNotReady = 600, cudaErrorIllegalAddress = 700,
  cudaErrorLaunchOutOfResources = 701, cudaErrorLaunchTimeout = 702, cudaErrorPeerAccessAlreadyEnabled = 704,
  cudaErrorAssert = 710, cudaErrorLaunchFailure = 719, cudaErrorNotPermitted = 800, cudaErrorNotSupported = 801,
  cudaErrorUnknown = 999
} cudaError_t;
enum cudaMemcpyKind {
  cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault
};
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8, cudaFuncAttributePreferredSharedMemoryCarveout };
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual };
enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte, cudaSharedMemBankSizeEightByte
};
enum cudaLimit {
  cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize, cudaLimitDevRuntimeSyncDepth,
  cudaLimitDevRuntimePendingLaunchCount, cudaLimitMaxL2FetchGranularity, cudaLimitPersistingL2CacheSize
};
enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1, cudaDevAttrMaxSharedMemoryPerBlock = 8, cudaDevAttrWarpSize = 10,
  cudaDevAttrClockRate = 13, cudaDevAttrMultiProcessorCount = 16, cudaDevAttrMaxThreadsPerMultiProcessor = 39,
  cudaDevAttrL2CacheSize = 38, cudaDevAttrComputeCapabilityMajor = 75, cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrCooperativeLaunch = 95, cudaDevAttrMaxSharedMemoryPerBlockOptin = 97, cudaDevAttrManagedMemory = 83,
  cudaDevAttrConcurrentManagedAccess = 89, cudaDevAttrMemoryPoolsSupported = 115
};
enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1, cudaMemAdviseUnsetReadMostly, cudaMemAdviseSetPreferredLocation,
  cudaMemAdviseUnsetPreferredLocation, cudaMemAdviseSetAccessedBy, cudaMemAdviseUnsetAccessedBy
};
#define cudaHostAllocDefault 0
#define cudaHostAllocPortable 1
#define cudaHostAllocMapped 2
#define cudaHostAllocWriteCombined 4
#define cudaHostRegisterDefault 0
#define cudaMemAttachGlobal 1
#define cudaMemAttachHost 2
#define cudaStreamDefault 0
#define cudaStreamNonBlocking 1
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)
#define cudaEventDefault 0
#define cudaEventBlockingSync 1
#define cudaEventDisableTiming 2
#define cudaDeviceScheduleAuto 0
#define cudaDeviceScheduleSpin 1
#define cudaDeviceScheduleYield 2
#define cudaDeviceScheduleBlockingSync 4
#define cudaDeviceMapHost 8
#define cudaCpuDeviceId (-1)
#define cudaOccupancyDefault 0

typedef struct r3c_Stream* cudaStream_t;
typedef struct r3c_Event* cudaEvent_t;
struct cudaDeviceProp {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
  size_t totalConstMem;
  int major, minor;
  size_t textureAlignment;
  int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode;
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, asyncEngineCount, unifiedAddressing;
  int memoryClockRate, memoryBusWidth, l2CacheSize, maxThreadsPerMultiProcessor, managedMemory;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, concurrentManagedAccess, cooperativeLaunch, pageableMemoryAccess;
  size_t sharedMemPerBlockOptin;
  int maxBlocksPerMultiProcessor;
};
struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes;
};
struct cudaPointerAttributes { int type, device; void *devicePointer, *hostPointer; };

extern "C" {
cudaError_t r3c_malloc(void** pointer, size_t size_bytes, const char* kind);
cudaError_t r3c_free(void* pointer);
cudaError_t r3c_memcpy(void* to, const void* from, size_t size_bytes, int kind);
cudaError_t r3c_memset(void* to, int value, size_t size_bytes);
cudaError_t r3c_last_error(int reset);
const char* r3c_error_name(cudaError_t error);
const char* r3c_error_text(cudaError_t error);
cudaError_t r3c_event_create(cudaEvent_t* event);
cudaError_t r3c_event_record(cudaEvent_t event);
cudaError_t r3c_event_destroy(cudaEvent_t event);
cudaError_t r3c_event_elapsed(float* ms, cudaEvent_t first, cudaEvent_t last);
cudaError_t r3c_stream_create(cudaStream_t* stream);
cudaError_t r3c_stream_destroy(cudaStream_t stream);
cudaError_t r3c_device_properties(struct cudaDeviceProp* properties);
cudaError_t r3c_device_attribute(int* value, int attribute);
int r3c_pointer_kind(const void* pointer);
cudaError_t r3c_fail(cudaError_t error);
}

#define R3C_API static inline cudaError_t
#define R3C_DONE { return cudaSuccess; }

// --- memory ----------------------------------------------------------------------------------------------------------
template <class T> R3C_API cudaMalloc(T** p, size_t n) { return r3c_malloc((void**)p, n, "device"); }
template <class T> R3C_API cudaMallocManaged(T** p, size_t n, unsigned = cudaMemAttachGlobal) {
  return r3c_malloc((void**)p, n, "managed");
}
template <class T> R3C_API cudaMallocHost(T** p, size_t n, unsigned = 0) { return r3c_malloc((void**)p, n, "host"); }
template <class T> R3C_API cudaHostAlloc(T** p, size_t n, unsigned) { return r3c_malloc((void**)p, n, "host"); }
template <class T> R3C_API cudaMallocAsync(T** p, size_t n, cudaStream_t) { return r3c_malloc((void**)p, n, "device"); }
template <class T> R3C_API cudaMallocPitch(T** p, size_t* pitch, size_t width, size_t height) {
  *pitch = (width + 255) / 256 * 256;
  return r3c_malloc((void**)p, *pitch * height, "device");
}
R3C_API cudaFree(void* p) { return r3c_free(p); }
R3C_API cudaFreeHost(void* p) { return r3c_free(p); }
R3C_API cudaFreeAsync(void* p, cudaStream_t) { return r3c_free(p); }
template <class T> R3C_API cudaHostGetDevicePointer(T** device, void* host, unsigned) { *device = (T*)host; return cudaSuccess; }
R3C_API cudaHostRegister(void*, size_t, unsigned) R3C_DONE
R3C_API cudaHostUnregister(void*) R3C_DONE
R3C_API cudaMemcpy(void* to, const void* from, size_t n, cudaMemcpyKind kind) { return r3c_memcpy(to, from, n, kind); }
R3C_API cudaMemcpyAsync(void* to, const void* from, size_t n, cudaMemcpyKind kind, cudaStream_t = 0) {
  return r3c_memcpy(to, from, n, kind);
}
R3C_API cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                     cudaMemcpyKind kind) {
  for (size_t y = 0; y < height; y++) {
    cudaError_t e = r3c_memcpy((char*)to + y * to_pitch, (const char*)from + y * from_pitch, width, kind);
    if (e != cudaSuccess) return e;
  }
  return cudaSuccess;
}
R3C_API cudaMemcpy2DAsync(void* to, size_t tp, const void* from, size_t fp, size_t w, size_t h, cudaMemcpyKind kind,
                          cudaStream_t = 0) {
  return cudaMemcpy2D(to, tp, from, fp, w, h, kind);
}
R3C_API cudaMemset(void* to, int value, size_t n) { return r3c_memset(to, value, n); }
R3C_API cudaMemsetAsync(void* to, int value, size_t n, cudaStream_t = 0) { return r3c_memset(to, value, n); }
R3C_API cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  for (size_t y = 0; y < height; y++) r3c_memset((char*)to + y * pitch, value, width);
  return cudaSuccess;
}
template <class T>
R3C_API cudaMemcpyToSymbol(const T& symbol, const void* from, size_t n, size_t offset = 0,
                           cudaMemcpyKind = cudaMemcpyHostToDevice) {
  return r3c_memcpy((char*)&symbol + offset, from, n, cudaMemcpyDefault);
}
template <class T>
R3C_API cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t n, size_t offset, cudaMemcpyKind, cudaStream_t = 0) {
  return r3c_memcpy((char*)&symbol + offset, from, n, cudaMemcpyDefault);
}
template <class T>
R3C_API cudaMemcpyFromSymbol(void* to, const T& symbol, size_t n, size_t offset = 0,
                             cudaMemcpyKind = cudaMemcpyDeviceToHost) {
  return r3c_memcpy(to, (const char*)&symbol + offset, n, cudaMemcpyDefault);
}
template <class P, class T> R3C_API cudaGetSymbolAddress(P** p, const T& symbol) { *p = (P*)&symbol; return cudaSuccess; }
template <class T> R3C_API cudaGetSymbolSize(size_t* n, const T&) { *n = sizeof(T); return cudaSuccess; }
R3C_API cudaMemGetInfo(size_t* free_bytes, size_t* total) { *free_bytes = (size_t)3 << 30; *total = (size_t)4 << 30; return cudaSuccess; }
R3C_API cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t = 0) R3C_DONE
R3C_API cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, int) R3C_DONE
R3C_API cudaPointerGetAttributes(cudaPointerAttributes* a, const void* p) {
  *a = {r3c_pointer_kind(p), 0, (void*)p, (void*)p};
  return cudaSuccess;
}

// --- launches --------------------------------------------------------------------------------------------------------
template <class... P>
R3C_API cudaLaunchKernel(void (*f)(P...), dim3 grid, dim3 block, void** arguments, size_t shared = 0, cudaStream_t s = 0) {
  r3c_configure(grid, block, shared, s);
  r3c::launch_addresses(f, arguments);
  return r3c_last_error(0);
}
R3C_API cudaLaunchKernel(const void* f, dim3 grid, dim3 block, void** arguments, size_t shared = 0, cudaStream_t s = 0) {
  const r3c_Kernel* kernel = r3c_find_kernel(f);
  if (!kernel) return r3c_fail(cudaErrorInvalidDeviceFunction);
  void* with_function[256];
  for (unsigned i = 0; i < kernel->count; i++) with_function[i] = arguments[i];
  with_function[kernel->count] = (void*)f;
  r3c_configure(grid, block, shared, s);
  r3c_launch(kernel, with_function);
  return r3c_last_error(0);
}
template <class F> R3C_API cudaFuncSetAttribute(F, cudaFuncAttribute, int) R3C_DONE
template <class F> R3C_API cudaFuncSetCacheConfig(F, cudaFuncCache) R3C_DONE
template <class F> R3C_API cudaFuncSetSharedMemConfig(F, cudaSharedMemConfig) R3C_DONE
template <class F> R3C_API cudaFuncGetAttributes(cudaFuncAttributes* a, F) {
  *a = {};
  a->maxThreadsPerBlock = 1024, a->numRegs = 32, a->maxDynamicSharedSizeBytes = 49152;
  return cudaSuccess;
}
template <class F>
R3C_API cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, F, int threads, size_t, unsigned = 0) {
  *blocks = threads > 0 ? 2048 / threads : 0;
  return cudaSuccess;
}
template <class F>
R3C_API cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, F, size_t = 0, int limit = 0) {
  *block = limit > 0 && limit < 256 ? limit : 256, *grid = 8;
  return cudaSuccess;
}

// --- device, streams, events, errors ---------------------------------------------------------------------------------
R3C_API cudaGetDeviceCount(int* n) { *n = 1; return cudaSuccess; }
R3C_API cudaGetDevice(int* d) { *d = 0; return cudaSuccess; }
R3C_API cudaSetDevice(int d) { return d == 0 ? cudaSuccess : r3c_fail(cudaErrorInvalidDevice); }
R3C_API cudaSetDeviceFlags(unsigned) R3C_DONE
R3C_API cudaDeviceReset() R3C_DONE
R3C_API cudaDeviceSynchronize() { return r3c_last_error(0); }
R3C_API cudaThreadSynchronize() { return r3c_last_error(0); }
R3C_API cudaThreadExit() R3C_DONE
R3C_API cudaProfilerStart() R3C_DONE
R3C_API cudaProfilerStop() R3C_DONE
R3C_API cudaDeviceSetCacheConfig(cudaFuncCache) R3C_DONE
R3C_API cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) R3C_DONE
R3C_API cudaDeviceSetLimit(cudaLimit, size_t) R3C_DONE
R3C_API cudaDeviceGetLimit(size_t* n, cudaLimit) { *n = 0; return cudaSuccess; }
R3C_API cudaDeviceCanAccessPeer(int* can, int, int) { *can = 0; return cudaSuccess; }
R3C_API cudaDeviceEnablePeerAccess(int, unsigned) { return r3c_fail(cudaErrorInvalidDevice); }
R3C_API cudaDriverGetVersion(int* v) { *v = CUDART_VERSION; return cudaSuccess; }
R3C_API cudaRuntimeGetVersion(int* v) { *v = CUDART_VERSION; return cudaSuccess; }
R3C_API cudaGetDeviceProperties(cudaDeviceProp* p, int d) {
  return d == 0 ? r3c_device_properties(p) : r3c_fail(cudaErrorInvalidDevice);
}
R3C_API cudaDeviceGetAttribute(int* v, cudaDeviceAttr a, int) { return r3c_device_attribute(v, a); }
R3C_API cudaChooseDevice(int* d, const cudaDeviceProp*) { *d = 0; return cudaSuccess; }
R3C_API cudaStreamCreate(cudaStream_t* s) { return r3c_stream_create(s); }
R3C_API cudaStreamCreateWithFlags(cudaStream_t* s, unsigned) { return r3c_stream_create(s); }
R3C_API cudaStreamCreateWithPriority(cudaStream_t* s, unsigned, int) { return r3c_stream_create(s); }
R3C_API cudaDeviceGetStreamPriorityRange(int* low, int* high) { *low = *high = 0; return cudaSuccess; }
R3C_API cudaStreamDestroy(cudaStream_t s) { return r3c_stream_destroy(s); }
R3C_API cudaStreamSynchronize(cudaStream_t) { return r3c_last_error(0); }
R3C_API cudaStreamQuery(cudaStream_t) { return r3c_last_error(0); }
R3C_API cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0) R3C_DONE
R3C_API cudaEventCreate(cudaEvent_t* e) { return r3c_event_create(e); }
R3C_API cudaEventCreate(cudaEvent_t* e, unsigned) { return r3c_event_create(e); }
R3C_API cudaEventCreateWithFlags(cudaEvent_t* e, unsigned) { return r3c_event_create(e); }
R3C_API cudaEventRecord(cudaEvent_t e, cudaStream_t = 0) { return r3c_event_record(e); }
R3C_API cudaEventSynchronize(cudaEvent_t) { return r3c_last_error(0); }
R3C_API cudaEventQuery(cudaEvent_t) R3C_DONE
R3C_API cudaEventElapsedTime(float* ms, cudaEvent_t a, cudaEvent_t b) { return r3c_event_elapsed(ms, a, b); }
R3C_API cudaEventDestroy(cudaEvent_t e) { return r3c_event_destroy(e); }
R3C_API cudaGetLastError() { return r3c_last_error(1); }
R3C_API cudaPeekAtLastError() { return r3c_last_error(0); }
static inline const char* cudaGetErrorString(cudaError_t e) { return r3c_error_text(e); }
static inline const char* cudaGetErrorName(cudaError_t e) { return r3c_error_name(e); }
#undef R3C_DONE
