// Why launches of a kernel cannot be replayed, as far as its machine code tells.
#pragma once
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "cubin.h"

namespace r3c {

class Refusals {
 public:
  // Empty where nothing speaks against it.
  std::string of(const Cubin* cubin, const std::string& symbol) {
    if (!cubin) return "";
    std::lock_guard<std::mutex> lock(mutex_);
    auto known = reasons_.find({cubin, symbol});
    if (known == reasons_.end()) known = reasons_.insert({{cubin, symbol}, reason(*cubin, symbol)}).first;
    return known->second;
  }

  static std::string reason(const Cubin& cubin, const std::string& symbol) {
    const std::set<std::string> reached = cubin.reached(symbol);
    for (const std::string& name : reached) {
      if (name == "malloc") return "it allocates from the in-kernel heap";
      if (name.find("LaunchDevice") != std::string::npos) return "it launches kernels itself (dynamic parallelism)";
    }
    if (cubin.calls_indirectly(reached))
      return "it calls functions through pointers or virtual functions, which lie elsewhere in a rebuilt kernel";
    return "";
  }

 private:
  std::mutex mutex_;
  std::map<std::pair<const Cubin*, std::string>, std::string> reasons_;
};

}  // namespace r3c
