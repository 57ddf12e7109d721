// Writes the launches of a running application as raw captures; `r3c/recording/capture.py` reads them.
//
// The runtime of a device includes this file in one of its own sources. It calls `begin` before and `end` after every
// launch, and hands over three callbacks: read device memory, list live allocations, list the module's globals.
//
//   R3C_CAPTURE=DIR             where to write; without it nothing happens
//   R3C_CAPTURE_KERNELS=a,b     kernel names or shell patterns to record, `*` (default) for all; all are counted
//   R3C_CAPTURE_SKIP=0          launches of each kernel to let pass first
//   R3C_CAPTURE_MAX=4           launches to record of each kernel
//   R3C_CAPTURE_WHOLE=0         1: every live allocation instead of what the arguments can reach
//
// DIR/000001/launch.json, in.<address>.bin, in.g.<global>.bin before the launch; out.* and `done` after it.
// DIR/counts.json: every launch counted by kernel, geometry and the arguments that are not pointers.
#pragma once

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "capture_values.h"

namespace r3c {
namespace capture {

class Writer {
 public:
  explicit Writer(Memory memory) : memory_(std::move(memory)), pid_(getpid()) {
    const char *directory = getenv("R3C_CAPTURE");
    if (!directory || !*directory) return;
    directory_ = directory;
    if (mkdir(directory, 0777) != 0 && errno != EEXIST) {
      stop("cannot create " + directory_);
      return;
    }
    patterns_ = split(text_of("R3C_CAPTURE_KERNELS", "*"));
    skip_ = number_of("R3C_CAPTURE_SKIP", 0);
    max_ = number_of("R3C_CAPTURE_MAX", 4);
    whole_ = number_of("R3C_CAPTURE_WHOLE", 0) != 0;
    counts_path_ = claim_counts();
    active_ = !broken_;
  }
  ~Writer() { finish(); }
  Writer(const Writer &) = delete;
  Writer &operator=(const Writer &) = delete;

  // False in a process that records nothing, and in the children it forks.
  bool active() const { return active_ && getpid() == pid_; }

  // Call before the launch; one `end` must follow. Blocks while another thread's launch is being recorded, and a
  // launch that is to be recorded waits for those that are under way.
  Ticket begin(const Launch &launch) {
    Ticket ticket;
    if (!active()) return ticket;
    std::unique_lock<std::mutex> lock(mutex_);
    free_.wait(lock, [this] { return !recording_; });
    std::vector<Allocation> live = sorted(memory_.allocations());
    ticket.row = row_of(launch, live);
    Row &row = rows_[ticket.row - 1];
    row.count++;
    const bool record = !broken_ && wanted(launch, row);
    if (record) {
      recording_ = true;
      free_.wait(lock, [this] { return under_way_ == 0; });
      live = sorted(memory_.allocations());
      if (open_directory() && write_prologue(launch, rows_[ticket.row - 1].key, live)) {
        ticket.recording = true;
        rows_[ticket.row - 1].recorded++;
      } else {
        drop("cannot write the memory of " + launch.kernel);
        recording_ = false;
        free_.notify_all();
      }
    }
    if (!ticket.recording) under_way_++;
    return ticket;
  }

  // Call after the launch has finished, from any thread; `duration_us` is its device time, 0 where not yet known.
  void end(const Ticket &ticket, double duration_us) {
    if (ticket.row == 0 || !active()) return;
    std::lock_guard<std::mutex> lock(mutex_);
    Row &row = rows_[ticket.row - 1];
    row.total_us += duration_us;
    if (!ticket.recording) {
      if (--under_way_ == 0) free_.notify_all();
      return;
    }
    if (write_epilogue(duration_us)) {
      done_.push_back({ticket.row, current_});
      current_.clear();
      write_counts();
    } else {
      row.recorded--;
      drop("cannot write the memory after " + row.kernel);
    }
    recording_ = false;
    free_.notify_all();
  }

  // Device time that became known after `end`.
  void add_time(const Ticket &ticket, double duration_us) {
    if (ticket.row == 0 || !active()) return;
    std::lock_guard<std::mutex> lock(mutex_);
    rows_[ticket.row - 1].total_us += duration_us;
  }

  // Keeps a module image; the answer goes into Launch::module.
  std::string save_module(const void *data, size_t size, const char *extension = "cubin") {
    if (!active()) return "";
    std::string name = "modules/" + hex(hash_bytes(data, size)) + "-" + hex(size) + "." + extension;
    std::lock_guard<std::mutex> lock(mutex_);
    mkdir((directory_ + "/modules").c_str(), 0777);
    if (!write_file(directory_ + "/" + name, data, size)) {
      stop("cannot write " + name);
      return "";
    }
    return name;
  }

  // Writes the counts; call it when the application ends. Further launches may follow.
  void finish() {
    if (!active()) return;
    std::lock_guard<std::mutex> lock(mutex_);
    write_counts();
  }

 private:
  static constexpr uint64_t kPiece = 64ull << 20;

  struct Done {
    uint64_t row;
    std::string directory;
  };

  // --- which launches -------------------------------------------------------------------------------------------

  uint64_t row_of(const Launch &launch, const std::vector<Allocation> &live) {
    uint64_t key = hash_bytes(launch.symbol.data(), launch.symbol.size());
    key = hash_bytes(launch.grid, sizeof launch.grid, key);
    key = hash_bytes(launch.block, sizeof launch.block, key);
    key = hash_bytes(&launch.shared_bytes, sizeof launch.shared_bytes, key);
    std::vector<uint8_t> scalars = launch.packed;
    for (size_t i = 0; i + 8 <= scalars.size(); i += 8) {
      uint64_t word;
      memcpy(&word, &scalars[i], 8);
      if (holder(live, word) >= 0) memset(&scalars[i], 0xA5, 8);
    }
    key = hash_bytes(scalars.data(), scalars.size(), key);
    uint64_t &row = row_of_key_[key];
    if (row == 0) {
      Row fresh;
      fresh.kernel = launch.kernel, fresh.symbol = launch.symbol;
      memcpy(fresh.grid, launch.grid, sizeof fresh.grid), memcpy(fresh.block, launch.block, sizeof fresh.block);
      fresh.shared_bytes = launch.shared_bytes, fresh.key = key;
      rows_.push_back(fresh);
      row = rows_.size();
    }
    return row;
  }

  // New kinds of launch first: a kind seen before is taken at its 2nd, 4th, 8th ... launch and gives way again.
  bool wanted(const Launch &launch, const Row &row) {
    if (!matches(launch.kernel) && !matches(launch.symbol)) return false;
    if (launches_[launch.kernel]++ < skip_) return false;
    uint64_t taken = 0;
    for (const Row &other : rows_) taken += other.kernel == launch.kernel ? other.recorded : 0;
    if (row.recorded == 0) return taken < max_ || give_way(launch.kernel);
    const uint64_t seen = ++repeats_[row.key] + 1;
    return taken < max_ && seen >= (1ull << std::min<uint64_t>(row.recorded, 62));
  }

  bool give_way(const std::string &kernel) {
    for (size_t i = done_.size(); i-- > 0;) {
      Row &row = rows_[done_[i].row - 1];
      if (row.kernel != kernel || row.recorded < 2) continue;
      remove_directory(done_[i].directory);
      row.recorded--;
      done_.erase(done_.begin() + static_cast<long>(i));
      return true;
    }
    return false;
  }

  bool matches(const std::string &name) const {
    for (const std::string &pattern : patterns_)
      if (fnmatch(pattern.c_str(), name.c_str(), 0) == 0) return true;
    return false;
  }

  // --- what memory ----------------------------------------------------------------------------------------------

  static std::vector<Allocation> sorted(std::vector<Allocation> live) {
    auto before = [](const Allocation &a, const Allocation &b) { return a.address < b.address; };
    if (!std::is_sorted(live.begin(), live.end(), before)) std::sort(live.begin(), live.end(), before);
    return live;
  }

  // Index of the allocation that holds `address`, or -1.
  static long holder(const std::vector<Allocation> &live, uint64_t address) {
    if (live.empty() || address < live.front().address) return -1;
    auto after = std::upper_bound(live.begin(), live.end(), address,
                                  [](uint64_t a, const Allocation &b) { return a < b.address; });
    const Allocation &found = *(after - 1);
    return address - found.address < found.size_bytes ? after - live.begin() - 1 : -1;
  }

  // Takes every aligned 8-byte word for a pointer that might be one.
  void scan(const uint8_t *bytes, uint64_t size, uint64_t address, const std::vector<Allocation> &live) {
    for (uint64_t i = (8 - address % 8) % 8; i + 8 <= size; i += 8) {
      uint64_t word;
      memcpy(&word, bytes + i, 8);
      const long index = holder(live, word);
      if (index < 0 || reached_[static_cast<size_t>(index)]) continue;
      reached_[static_cast<size_t>(index)] = true;
      pending_.push_back(static_cast<size_t>(index));
    }
  }

  bool write_prologue(const Launch &launch, uint64_t key, const std::vector<Allocation> &live) {
    globals_ = memory_.globals(launch);
    allocations_.clear(), pending_.clear();
    reached_.assign(live.size(), whole_);
    if (!write_launch(launch, key)) return false;
    if (whole_)
      for (size_t i = 0; i < live.size(); i++) pending_.push_back(i);
    scan(launch.packed.data(), launch.packed.size(), 0, live);
    for (const Global &g : globals_)
      if (!copy_out("in.g." + g.name, g.address, g.size_bytes, &live)) return false;
    while (!pending_.empty()) {
      const Allocation a = live[pending_.back()];
      pending_.pop_back();
      allocations_.push_back(a);
      if (!copy_out("in." + hex(a.address), a.address, a.size_bytes, &live)) return false;
    }
    allocations_ = sorted(allocations_);
    return write_launch(launch, key);
  }

  bool write_epilogue(double duration_us) {
    for (const Global &g : globals_)
      if (!copy_out("out.g." + g.name, g.address, g.size_bytes, nullptr)) return false;
    for (const Allocation &a : allocations_)
      if (!copy_out("out." + hex(a.address), a.address, a.size_bytes, nullptr)) return false;
    const std::string text = std::to_string(duration_us);
    return write_file(current_ + "/done", text.data(), text.size());
  }

  // Device memory to a file, a piece at a time; scans it for pointers where `live` is given.
  bool copy_out(const std::string &name, uint64_t address, uint64_t size, const std::vector<Allocation> *live) {
    FILE *file = fopen((current_ + "/" + name + ".bin").c_str(), "wb");
    if (!file) return false;
    bool good = true;
    for (uint64_t at = 0; at < size && good; at += kPiece) {
      const uint64_t n = std::min(kPiece, size - at);
      buffer_.resize(n);
      good = memory_.read(address + at, buffer_.data(), n) && fwrite(buffer_.data(), 1, n, file) == n;
      if (good && live) scan(buffer_.data(), n, address + at, *live);
    }
    return fclose(file) == 0 && good;
  }

  // --- files ----------------------------------------------------------------------------------------------------

  bool write_launch(const Launch &launch, uint64_t key) const {
    const std::string json = launch_json(launch, key, allocations_, globals_);
    return write_file(current_ + "/launch.json", json.data(), json.size());
  }

  void write_counts() const {
    const std::string json = counts_json(rows_);
    write_file(counts_path_, json.data(), json.size());
  }

  // counts.json for the first process that writes here, counts.<pid>.json for others of the same run.
  std::string claim_counts() const {
    const std::string path = directory_ + "/counts.json";
    FILE *file = fopen(path.c_str(), "wx");
    if (!file) return directory_ + "/counts." + std::to_string(pid_) + ".json";
    fputs("[]\n", file);
    fclose(file);
    return path;
  }

  bool open_directory() {
    for (int number = next_; number < 1000000; number++) {
      char name[16];
      snprintf(name, sizeof name, "/%06d", number);
      current_ = directory_ + name;
      if (mkdir(current_.c_str(), 0777) == 0) {
        next_ = number + 1;
        return true;
      }
      if (errno != EEXIST) break;
    }
    current_.clear();
    return false;
  }

  // Whole or not at all: written beside its place and renamed.
  static bool write_file(const std::string &path, const void *data, size_t size) {
    const std::string beside = path + ".part";
    FILE *file = fopen(beside.c_str(), "wb");
    if (!file) return false;
    const bool good = fwrite(data, 1, size, file) == size;
    return fclose(file) == 0 && good && rename(beside.c_str(), path.c_str()) == 0;
  }

  static void remove_directory(const std::string &directory) {
    DIR *open = opendir(directory.c_str());
    if (!open) return;
    while (const dirent *entry = readdir(open)) remove((directory + "/" + entry->d_name).c_str());
    closedir(open);
    rmdir(directory.c_str());
  }

  // Gives this launch up and records no more; the application goes on, and what was complete stays.
  void drop(const std::string &why) {
    stop(why);
    if (!current_.empty()) remove_directory(current_);
    current_.clear();
  }

  void stop(const std::string &why) {
    fprintf(stderr, "r3c: recording stopped: %s: %s\n", why.c_str(), strerror(errno));
    broken_ = true;
  }

  // --- environment ----------------------------------------------------------------------------------------------

  static std::string text_of(const char *name, const char *otherwise) {
    const char *text = getenv(name);
    return text && *text ? text : otherwise;
  }
  static uint64_t number_of(const char *name, uint64_t otherwise) {
    const char *text = getenv(name);
    return text && *text ? strtoull(text, nullptr, 10) : otherwise;
  }
  static std::vector<std::string> split(const std::string &text) {
    std::vector<std::string> out;
    for (size_t from = 0, to; from <= text.size(); from = to + 1) {
      to = std::min(text.find(',', from), text.size());
      if (to > from) out.push_back(text.substr(from, to - from));
    }
    return out;
  }

  Memory memory_;
  pid_t pid_;
  bool active_ = false, broken_ = false, whole_ = false;
  std::string directory_, counts_path_;
  std::vector<std::string> patterns_;
  uint64_t skip_ = 0, max_ = 4;
  int next_ = 1;

  std::mutex mutex_;
  std::condition_variable free_;
  bool recording_ = false;
  uint64_t under_way_ = 0;  // launches between begin and end that are not recorded
  std::vector<Row> rows_;
  std::map<uint64_t, uint64_t> row_of_key_;        // key -> row, from 1
  std::map<std::string, uint64_t> launches_;       // kernel -> launches that were looked at
  std::map<uint64_t, uint64_t> repeats_;           // key -> launches after its first recorded one
  std::vector<Done> done_;

  // The launch being recorded.
  std::string current_;
  std::vector<Global> globals_;
  std::vector<Allocation> allocations_;
  std::vector<bool> reached_;
  std::vector<size_t> pending_;
  std::vector<uint8_t> buffer_;
};

}  // namespace capture
}  // namespace r3c
