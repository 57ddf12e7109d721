// Memory as files: what is still as it was is not written again, and of what a launch left only the changes count.
#pragma once

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace r3c {
namespace capture {

constexpr uint64_t kBlock = 4096, kLine = 16;  // bytes that are compared at once; what ranges are rounded out to

struct Range {
  uint64_t offset, size;
};

// Calls `work(from, to)` for slices of [0, size), cut at multiples of kBlock, in several threads where it pays.
template <class Work>
void in_parallel(uint64_t size, const Work &work) {
  constexpr uint64_t kSlice = 2ull << 20, kThreads = 8;
  const uint64_t threads = std::min({kThreads, uint64_t(std::max(1u, std::thread::hardware_concurrency())), size / kSlice});
  if (threads < 2) return work(uint64_t(0), size);
  const uint64_t each = (size / threads + kBlock - 1) / kBlock * kBlock;
  std::vector<std::thread> running;
  for (uint64_t from = 0; from < size; from += each)
    running.emplace_back([&work, from, to = std::min(size, from + each)] { work(from, to); });
  for (auto &thread : running) thread.join();
}

// The bytes of a file; `bytes` is null where it cannot be read.
struct Mapped {
  Mapped(const std::string &path, uint64_t size) : size_(size) {
    const int file = open(path.c_str(), O_RDONLY);
    void *at = file < 0 ? MAP_FAILED : mmap(nullptr, size, PROT_READ, MAP_SHARED | MAP_POPULATE, file, 0);
    if (file >= 0) close(file);
    bytes = at == MAP_FAILED ? nullptr : static_cast<const uint8_t *>(at);
  }
  ~Mapped() {
    if (bytes) munmap(const_cast<uint8_t *>(bytes), size_);
  }
  Mapped(const Mapped &) = delete;
  Mapped &operator=(const Mapped &) = delete;
  const uint8_t *bytes;

 private:
  uint64_t size_;
};

// Files under a folder, each a piece of memory as it was before some launches; gone with the last launch that uses it.
class Pieces {
 public:
  explicit Pieces(const std::string &directory) : directory_(directory) {}

  // The file that holds these bytes, which lay at `address`; empty where it cannot be written.
  std::string keep(uint64_t address, const uint8_t *bytes, uint64_t size) {
    Last &last = last_[address];
    if (last.size == size && same(last.name, bytes, size)) return uses_[last.name]++, last.name;
    const std::string name = "pieces/" + std::to_string(getpid()) + "-" + std::to_string(++made_);
    if (!write(path_of(name), bytes, size)) return unlink(path_of(name).c_str()), "";
    last = {name, size};
    uses_[name] = 1;
    return name;
  }

  void release(const std::string &name) {
    auto found = uses_.find(name);
    if (found == uses_.end() || --found->second) return;
    unlink(path_of(name).c_str());
    uses_.erase(found);
    for (auto one = last_.begin(); one != last_.end();) one = one->second.name == name ? last_.erase(one) : std::next(one);
  }

  // Where `now` differs from the piece, in few ranges; false where the piece cannot be read.
  bool changes(const std::string &name, const uint8_t *now, uint64_t size, std::vector<Range> &found) const {
    Mapped old(path_of(name), size);
    if (!old.bytes) return false;
    std::vector<uint8_t> differs((size + kBlock - 1) / kBlock);
    in_parallel(size, [&](uint64_t from, uint64_t to) {
      for (uint64_t at = from; at < to; at += kBlock)
        differs[at / kBlock] = memcmp(old.bytes + at, now + at, std::min(kBlock, to - at)) != 0;
    });
    for (const Range &blocks : few_runs(differs)) {
      uint64_t from = blocks.offset * kBlock, to = std::min(size, (blocks.offset + blocks.size) * kBlock);
      while (from + kLine < to && !memcmp(old.bytes + from, now + from, kLine)) from += kLine;
      uint64_t last = (to - 1) / kLine * kLine;
      while (last > from && !memcmp(old.bytes + last, now + last, std::min(kLine, to - last))) to = last, last -= kLine;
      found.push_back({from, to - from});
    }
    return true;
  }

 private:
  static constexpr size_t kMostRuns = 512;

  struct Last {
    std::string name;
    uint64_t size;
  };

  std::string path_of(const std::string &name) const { return directory_ + "/" + name; }

  bool same(const std::string &name, const uint8_t *bytes, uint64_t size) const {
    Mapped old(path_of(name), size);
    std::atomic<bool> equal{old.bytes != nullptr};
    if (!equal) return false;
    in_parallel(size, [&](uint64_t from, uint64_t to) {
      for (uint64_t at = from; at < to && equal; at += 64 * kBlock)
        if (memcmp(old.bytes + at, bytes + at, std::min(64 * kBlock, to - at))) equal = false;
    });
    return equal;
  }

  static bool write(const std::string &path, const uint8_t *bytes, uint64_t size) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0) return false;
    std::atomic<bool> good{true};
    in_parallel(size, [&](uint64_t from, uint64_t to) {
      while (from < to && good) {
        const ssize_t n = pwrite(file, bytes + from, to - from, static_cast<off_t>(from));
        if (n <= 0) good = false;
        else from += static_cast<uint64_t>(n);
      }
    });
    return close(file) == 0 && good;
  }

  // Runs of marked blocks; near ones are one run where there would be too many.
  static std::vector<Range> few_runs(const std::vector<uint8_t> &marked) {
    std::vector<Range> runs;
    for (uint64_t gap = 0; gap == 0 || runs.size() > kMostRuns; gap = gap ? 2 * gap : 1) {
      runs.clear();
      for (uint64_t i = 0; i < marked.size(); i++) {
        if (!marked[i]) continue;
        if (!runs.empty() && i - (runs.back().offset + runs.back().size) <= gap) runs.back().size = i + 1 - runs.back().offset;
        else runs.push_back({i, 1});
      }
    }
    return runs;
  }

  std::string directory_;
  uint64_t made_ = 0;
  std::map<uint64_t, Last> last_;            // address -> the piece that was there last
  std::map<std::string, uint64_t> uses_;     // piece -> launches that need it
};

}  // namespace capture
}  // namespace r3c
