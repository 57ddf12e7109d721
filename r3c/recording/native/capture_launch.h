// The memory that one launch can reach: kept before it, compared after it.
#pragma once

#include <stdio.h>

#include <functional>
#include <mutex>

#include "capture_memory.h"
#include "capture_values.h"

namespace r3c {
namespace capture {

inline std::vector<Allocation> sorted(std::vector<Allocation> live) {
  auto before = [](const Allocation &a, const Allocation &b) { return a.address < b.address; };
  if (!std::is_sorted(live.begin(), live.end(), before)) std::sort(live.begin(), live.end(), before);
  return live;
}

// Index of the allocation of `live`, which is sorted, that holds `address`, or -1.
inline long holder(const std::vector<Allocation> &live, uint64_t address) {
  if (live.empty() || address < live.front().address) return -1;
  auto after = std::upper_bound(live.begin(), live.end(), address,
                                [](uint64_t a, const Allocation &b) { return a < b.address; });
  const Allocation &found = *(after - 1);
  return address - found.address < found.size_bytes ? after - live.begin() - 1 : -1;
}

class LaunchMemory {
 public:
  LaunchMemory(Memory memory, const std::string &directory) : memory_(std::move(memory)), pieces_(directory) {}

  enum Outcome { kKept, kTooLarge, kFailed };

  // Keeps what the arguments reach, or all of `live` where `whole`, unless it is more than `most_bytes`.
  Outcome before(const Launch &launch, const std::vector<Allocation> &live, bool whole, uint64_t most_bytes) {
    allocations_.clear(), pending_.clear();
    globals_ = memory_.globals(launch);
    pointer_ = {}, bytes_ = 0;
    reached_.assign(live.size(), whole);
    for (size_t i = 0; whole && i < live.size(); i++) pending_.push_back(i);
    scan(launch.packed.data(), launch.packed.size(), 0, live, "its arguments");
    for (Global &g : globals_)
      if (!keep(g.address, g.size_bytes, live, "the global " + g.name, g.before)) return kFailed;
    while (!pending_.empty()) {
      allocations_.push_back(live[pending_.back()]);
      pending_.pop_back();
      Allocation &a = allocations_.back();
      bytes_ += a.size_bytes;
      if (bytes_ > most_bytes) return kTooLarge;
      if (!keep(a.address, a.size_bytes, live, "the memory at 0x" + hex(a.address), a.before)) return kFailed;
    }
    allocations_ = sorted(allocations_);
    return kKept;
  }

  // Writes what has changed since `before` to `data`; false where that fails.
  bool after(FILE *data, std::vector<Change> &changes) {
    for (const Global &g : globals_)
      if (!write_changes(data, "g." + g.name, g.address, g.size_bytes, g.before, changes)) return false;
    for (const Allocation &a : allocations_)
      if (!write_changes(data, hex(a.address), a.address, a.size_bytes, a.before, changes)) return false;
    return true;
  }

  std::string json(const Launch &launch, uint64_t key) const {
    return launch_json(launch, key, allocations_, globals_, pointer_);
  }

  // Of the allocations, so far.
  uint64_t bytes() const { return bytes_; }

  // Forgets the launch; its pieces stay until they are given back.
  std::vector<std::string> take_pieces() {
    std::vector<std::string> names;
    for (const Global &g : globals_) names.insert(names.end(), g.before.begin(), g.before.end());
    for (const Allocation &a : allocations_) names.insert(names.end(), a.before.begin(), a.before.end());
    globals_.clear(), allocations_.clear();
    return names;
  }

  void give_back(const std::vector<std::string> &pieces) {
    for (const std::string &piece : pieces) pieces_.release(piece);
  }

 private:
  static constexpr uint64_t kPiece = 64ull << 20, kSmall = 1ull << 20;

  // Takes every aligned 8-byte word for a pointer that might be one, to an allocation or to a global.
  void scan(const uint8_t *bytes, uint64_t size, uint64_t address, const std::vector<Allocation> &live,
            const std::string &lies_in) {
    uint64_t low = live.empty() ? UINT64_MAX : live.front().address;
    uint64_t high = live.empty() ? 0 : live.back().address + live.back().size_bytes;
    for (const Global &g : globals_) low = std::min(low, g.address), high = std::max(high, g.address + g.size_bytes);
    std::mutex merging;
    in_parallel(size, [&](uint64_t from, uint64_t to) {
      std::vector<bool> seen(live.size());
      std::vector<size_t> found;
      const Global *global = nullptr;
      for (uint64_t i = from + (16 - (address + from) % 8) % 8; i < to && i + 8 <= size; i += 8) {
        uint64_t word;
        memcpy(&word, bytes + i, 8);
        if (word < low || word >= high) continue;
        for (const Global &g : globals_)
          if (!global && word - g.address < g.size_bytes) global = &g;
        const long index = holder(live, word);
        if (index < 0 || seen[static_cast<size_t>(index)]) continue;
        seen[static_cast<size_t>(index)] = true;
        found.push_back(static_cast<size_t>(index));
      }
      std::lock_guard<std::mutex> lock(merging);
      if (global && pointer_.global.empty()) pointer_ = {global->name, lies_in};
      for (size_t index : found) {
        if (reached_[index]) continue;
        reached_[index] = true;
        pending_.push_back(index);
      }
    });
  }

  // Device memory to files, which `names` lists.
  bool keep(uint64_t address, uint64_t size, const std::vector<Allocation> &live, const std::string &lies_in,
            std::vector<std::string> &names) {
    for (uint64_t at = 0; at < size; at += kPiece) {
      const uint64_t n = std::min(kPiece, size - at);
      const uint8_t *bytes = read(address + at, n);
      const std::string name = bytes ? pieces_.keep(address + at, bytes, n) : "";
      if (name.empty()) return false;
      names.push_back(name);
      scan(bytes, n, address + at, live, lies_in);
    }
    return true;
  }

  bool write_changes(FILE *data, const std::string &of, uint64_t address, uint64_t size,
                     const std::vector<std::string> &before, std::vector<Change> &changes) {
    for (uint64_t at = 0; at < size; at += kPiece) {
      const uint64_t n = std::min(kPiece, size - at);
      const uint8_t *bytes = read(address + at, n);
      std::vector<Range> found;
      if (!bytes || !pieces_.changes(before[at / kPiece], bytes, n, found)) return false;
      for (const Range &r : found) {
        const uint64_t end = changes.empty() ? 0 : changes.back().at_bytes + changes.back().size_bytes;
        if (fwrite(bytes + r.offset, 1, r.size, data) != r.size) return false;
        changes.push_back({of, at + r.offset, r.size, end});
      }
    }
    return true;
  }

  // At most kPiece of device memory, valid until the next call; null where it cannot be read.
  const uint8_t *read(uint64_t address, uint64_t size) {
    if (size > buffer_.size()) {
      buffer_.resize(size > kSmall ? kPiece : kSmall);
      if (size > kSmall && memory_.pin) memory_.pin(buffer_.data(), buffer_.size());
    }
    return memory_.read(address, buffer_.data(), size) ? buffer_.data() : nullptr;
  }

  Memory memory_;
  Pieces pieces_;
  std::vector<Global> globals_;
  std::vector<Allocation> allocations_;
  std::vector<bool> reached_;
  std::vector<size_t> pending_;  // reached and not kept yet
  uint64_t bytes_ = 0;
  PointerToGlobal pointer_;
  std::vector<uint8_t> buffer_;
};

}  // namespace capture
}  // namespace r3c
