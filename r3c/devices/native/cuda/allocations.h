// The application's live device memory, kept up to date from the driver's allocation calls.
#pragma once
#include <cupti.h>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "capture.h"

namespace r3c {

class Allocations {
 public:
  // Every driver entry that makes or frees memory, or an object whose handle a kernel may take.
  static const std::vector<CUpti_CallbackId>& callbacks() {
    static const std::vector<CUpti_CallbackId> ids = {
        CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2, CUPTI_DRIVER_TRACE_CBID_cuMemAllocPitch_v2,
        CUPTI_DRIVER_TRACE_CBID_cuMemAllocManaged, CUPTI_DRIVER_TRACE_CBID_cuMemFree_v2,
        CUPTI_DRIVER_TRACE_CBID_cuMemAllocAsync, CUPTI_DRIVER_TRACE_CBID_cuMemAllocAsync_ptsz,
        CUPTI_DRIVER_TRACE_CBID_cuMemAllocFromPoolAsync, CUPTI_DRIVER_TRACE_CBID_cuMemAllocFromPoolAsync_ptsz,
        CUPTI_DRIVER_TRACE_CBID_cuMemFreeAsync, CUPTI_DRIVER_TRACE_CBID_cuMemFreeAsync_ptsz,
        CUPTI_DRIVER_TRACE_CBID_cuMemHostAlloc_v2, CUPTI_DRIVER_TRACE_CBID_cuMemAllocHost_v2,
        CUPTI_DRIVER_TRACE_CBID_cuMemFreeHost, CUPTI_DRIVER_TRACE_CBID_cuMemHostRegister_v2,
        CUPTI_DRIVER_TRACE_CBID_cuMemHostUnregister, CUPTI_DRIVER_TRACE_CBID_cuMemMap,
        CUPTI_DRIVER_TRACE_CBID_cuMemUnmap, CUPTI_DRIVER_TRACE_CBID_cuTexObjectCreate,
        CUPTI_DRIVER_TRACE_CBID_cuTexObjectDestroy, CUPTI_DRIVER_TRACE_CBID_cuSurfObjectCreate,
        CUPTI_DRIVER_TRACE_CBID_cuSurfObjectDestroy,
    };
    return ids;
  }

  void observe(CUpti_CallbackId id, const CUpti_CallbackData* call) {
    const bool leaving = call->callbackSite == CUPTI_API_EXIT;
    const bool good = leaving && *static_cast<const CUresult*>(call->functionReturnValue) == CUDA_SUCCESS;
    const void* p = call->functionParams;
    std::lock_guard<std::mutex> lock(mutex_);
    if (good) made(id, p);
    if (!leaving) freed(id, p);
  }

  std::vector<capture::Allocation> live() {
    std::lock_guard<std::mutex> lock(mutex_);
    std::vector<capture::Allocation> out;
    for (auto& one : live_) out.push_back({one.first, one.second.first, one.second.second});
    return out;
  }

  bool is_host(uint64_t address) {
    std::lock_guard<std::mutex> lock(mutex_);
    auto after = live_.upper_bound(address);
    if (after == live_.begin()) return false;
    --after;
    return address - after->first < after->second.first && after->second.second[0] == 'h';
  }

  bool is_texture(uint64_t word) {
    std::lock_guard<std::mutex> lock(mutex_);
    return textures_.count(word) != 0;
  }

 private:
  template <class T>
  static const T& as(const void* p) {
    return *static_cast<const T*>(p);
  }

  void add(uint64_t address, uint64_t size, const char* kind) {
    if (address && size) live_[address] = {size, kind};
  }

  void made(CUpti_CallbackId id, const void* p) {
    switch (id) {
      case CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2: {
        auto& c = as<cuMemAlloc_v2_params>(p);
        return add(*c.dptr, c.bytesize, "device");
      }
      case CUPTI_DRIVER_TRACE_CBID_cuMemAllocPitch_v2: {
        auto& c = as<cuMemAllocPitch_v2_params>(p);
        return add(*c.dptr, *c.pPitch * c.Height, "device");
      }
      case CUPTI_DRIVER_TRACE_CBID_cuMemAllocManaged: {
        auto& c = as<cuMemAllocManaged_params>(p);
        return add(*c.dptr, c.bytesize, "managed");
      }
      case CUPTI_DRIVER_TRACE_CBID_cuMemAllocAsync:
      case CUPTI_DRIVER_TRACE_CBID_cuMemAllocAsync_ptsz: {
        auto& c = as<cuMemAllocAsync_params>(p);
        return add(*c.dptr, c.bytesize, "device");
      }
      case CUPTI_DRIVER_TRACE_CBID_cuMemAllocFromPoolAsync:
      case CUPTI_DRIVER_TRACE_CBID_cuMemAllocFromPoolAsync_ptsz: {
        auto& c = as<cuMemAllocFromPoolAsync_params>(p);
        return add(*c.dptr, c.bytesize, "device");
      }
      case CUPTI_DRIVER_TRACE_CBID_cuMemHostAlloc_v2: {
        auto& c = as<cuMemHostAlloc_params>(p);
        return add(reinterpret_cast<uint64_t>(*c.pp), c.bytesize, "host");
      }
      case CUPTI_DRIVER_TRACE_CBID_cuMemAllocHost_v2: {
        auto& c = as<cuMemAllocHost_v2_params>(p);
        return add(reinterpret_cast<uint64_t>(*c.pp), c.bytesize, "host");
      }
      case CUPTI_DRIVER_TRACE_CBID_cuMemHostRegister_v2: {
        auto& c = as<cuMemHostRegister_v2_params>(p);
        return add(reinterpret_cast<uint64_t>(c.p), c.bytesize, "host");
      }
      case CUPTI_DRIVER_TRACE_CBID_cuMemMap: {
        auto& c = as<cuMemMap_params>(p);
        return add(c.ptr, c.size, "device");
      }
      case CUPTI_DRIVER_TRACE_CBID_cuTexObjectCreate:
        textures_.insert(*as<cuTexObjectCreate_params>(p).pTexObject);
        return;
      case CUPTI_DRIVER_TRACE_CBID_cuSurfObjectCreate:
        textures_.insert(*as<cuSurfObjectCreate_params>(p).pSurfObject);
        return;
      default:
        return;
    }
  }

  void freed(CUpti_CallbackId id, const void* p) {
    switch (id) {
      case CUPTI_DRIVER_TRACE_CBID_cuMemFree_v2:
        live_.erase(as<cuMemFree_v2_params>(p).dptr);
        return;
      case CUPTI_DRIVER_TRACE_CBID_cuMemFreeAsync:
      case CUPTI_DRIVER_TRACE_CBID_cuMemFreeAsync_ptsz:
        live_.erase(as<cuMemFreeAsync_params>(p).dptr);
        return;
      case CUPTI_DRIVER_TRACE_CBID_cuMemFreeHost:
        live_.erase(reinterpret_cast<uint64_t>(as<cuMemFreeHost_params>(p).p));
        return;
      case CUPTI_DRIVER_TRACE_CBID_cuMemHostUnregister:
        live_.erase(reinterpret_cast<uint64_t>(as<cuMemHostUnregister_params>(p).p));
        return;
      case CUPTI_DRIVER_TRACE_CBID_cuMemUnmap:
        live_.erase(as<cuMemUnmap_params>(p).ptr);
        return;
      case CUPTI_DRIVER_TRACE_CBID_cuTexObjectDestroy:
        textures_.erase(as<cuTexObjectDestroy_params>(p).texObject);
        return;
      case CUPTI_DRIVER_TRACE_CBID_cuSurfObjectDestroy:
        textures_.erase(as<cuSurfObjectDestroy_params>(p).surfObject);
        return;
      default:
        return;
    }
  }

  std::mutex mutex_;
  std::map<uint64_t, std::pair<uint64_t, const char*>> live_;
  std::set<uint64_t> textures_;
};

}  // namespace r3c
