// Writes the launches of a running application as raw captures; `r3c/recording/capture.py` reads them.
//
// The runtime of a device includes this file in one of its own sources. It calls `begin` before and `end` after every
// launch, and hands over three callbacks: read device memory, list live allocations, list the module's globals.
//
//   R3C_CAPTURE=DIR             where to write; without it nothing happens
//   R3C_CAPTURE_KERNELS=a,b     kernel names or shell patterns to record, `*` (default) for all; all are counted
//   R3C_CAPTURE_SKIP=0          launches of each kernel to let pass first
//   R3C_CAPTURE_MAX=4           launches to record of each kernel; each instantiation of a template is one
//   R3C_CAPTURE_BYTES=8589934592  memory of all recorded launches together; after its first launch, a kernel gets a quarter
//   R3C_CAPTURE_WHOLE=0         1: every live allocation instead of what the arguments can reach
//
// DIR/000001/launch.json and the files of DIR/pieces it names before the launch; after it after.bin, what of after.bin is
// where in after.json, and `done`. DIR/refusals.txt: what was left out and why.
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
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "capture_launch.h"

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
    most_bytes_ = number_of("R3C_CAPTURE_BYTES", 8ull << 30);
    mkdir((directory_ + "/pieces").c_str(), 0777);
    reached_ = std::make_unique<LaunchMemory>(memory_, directory_);
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
      ticket.recording = write_prologue(launch, rows_[ticket.row - 1].key, live);
      rows_[ticket.row - 1].recorded += ticket.recording;
      if (!ticket.recording) {
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
      const uint64_t bytes = reached_->bytes();
      done_.push_back({ticket.row, current_, bytes, reached_->take_pieces()});
      kept_bytes_ += bytes;
      Kept &kept = kept_[row.symbol];
      kept = {kept.launches + 1, kept.bytes + bytes, bytes};
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

  // Notes that launches of `kernel` (`*`: of any) are not recorded, each reason once.
  void leave_out(const std::string &kernel, const std::string &why) {
    std::lock_guard<std::mutex> lock(notes_mutex_);
    if (directory_.empty() || !left_out_.insert(kernel + why).second) return;
    FILE *file = fopen((directory_ + "/refusals.txt").c_str(), "a");
    if (!file) return;
    fprintf(file, "%s\t%s\n", kernel.c_str(), why.c_str());
    fclose(file);
  }

  // Writes the counts; call it when the application ends. Further launches may follow.
  void finish() {
    if (!active()) return;
    std::lock_guard<std::mutex> lock(mutex_);
    write_counts();
  }

 private:
  static constexpr uint64_t kShare = 4;

  struct Done {
    uint64_t row;
    std::string directory;
    uint64_t bytes;
    std::vector<std::string> pieces;
  };

  struct Kept {
    uint64_t launches, bytes, last_bytes;  // recorded of a kernel, their memory, and that of the last one
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
    if (launches_[launch.kernel]++ < skip_ || too_large_.count(launch.symbol)) return false;
    const Kept &kept = kept_[launch.symbol];
    if (row.recorded == 0) return (kept.launches < max_ && fits(launch, kept)) || give_way(launch.symbol);
    const uint64_t seen = ++repeats_[row.key] + 1;
    return kept.launches < max_ && seen >= (1ull << std::min<uint64_t>(row.recorded, 62)) && fits(launch, kept);
  }

  // Whether another launch as large as the kernel's last one may be kept; the first always may, if it fits at all.
  bool fits(const Launch &launch, const Kept &kept) {
    if (!kept.launches) return true;
    if (kept.bytes + kept.last_bytes <= most_bytes_ / kShare && kept_bytes_ + kept.last_bytes <= most_bytes_) return true;
    leave_out(launch.kernel, std::to_string(kept.launches) + (kept.launches == 1 ? " launch is" : " launches are") +
                                 " kept, of " + mib(kept.last_bytes) + "; more would exceed --max-bytes " +
                                 mib(most_bytes_) + ", of which one kernel gets a quarter");
    return false;
  }

  bool give_way(const std::string &symbol) {
    for (size_t i = done_.size(); i-- > 0;) {
      Row &row = rows_[done_[i].row - 1];
      if (row.symbol != symbol || row.recorded < 2) continue;
      remove_directory(done_[i].directory);
      reached_->give_back(done_[i].pieces);
      kept_bytes_ -= done_[i].bytes;
      kept_[symbol].bytes -= done_[i].bytes;
      kept_[symbol].launches--;
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

  // --- files ----------------------------------------------------------------------------------------------------

  bool write_prologue(const Launch &launch, uint64_t key, const std::vector<Allocation> &live) {
    if (!open_directory()) return drop("cannot make a folder for " + launch.kernel);
    const LaunchMemory::Outcome outcome = reached_->before(launch, live, whole_, most_bytes_ - kept_bytes_);
    if (outcome == LaunchMemory::kKept) {
      const std::string json = reached_->json(launch, key);
      if (write_file(current_ + "/launch.json", json.data(), json.size())) return true;
    }
    if (outcome != LaunchMemory::kTooLarge) return drop("cannot write the memory of " + launch.kernel);
    too_large_.insert(launch.symbol);
    leave_out(launch.kernel, "it reaches " + mib(reached_->bytes()) + " or more; with " + mib(kept_bytes_) +
                                 " kept already, that exceeds --max-bytes " + mib(most_bytes_));
    return give_up();
  }

  bool write_epilogue(double duration_us) {
    FILE *file = fopen((current_ + "/after.bin").c_str(), "wb");
    if (!file) return false;
    std::vector<Change> changes;
    const bool written = reached_->after(file, changes);
    const bool good = fclose(file) == 0 && written;
    const std::string json = changes_json(changes), text = std::to_string(duration_us);
    return good && write_file(current_ + "/after.json", json.data(), json.size()) &&
           write_file(current_ + "/done", text.data(), text.size());
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

  // Gives this launch up and records no more.
  bool drop(const std::string &why) {
    stop(why);
    return give_up();
  }

  bool give_up() {
    reached_->give_back(reached_->take_pieces());
    if (!current_.empty()) remove_directory(current_);
    current_.clear();
    return false;
  }

  static std::string mib(uint64_t bytes) {
    char text[32];
    snprintf(text, sizeof text, "%.1f MiB", static_cast<double>(bytes) / (1 << 20));
    return text;
  }

  // Records no more; the application goes on, and what was complete stays.
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
  uint64_t skip_ = 0, max_ = 4, most_bytes_ = 0;
  int next_ = 1;
  std::mutex notes_mutex_;
  std::set<std::string> left_out_;

  std::mutex mutex_;
  std::condition_variable free_;
  bool recording_ = false;
  uint64_t under_way_ = 0;  // launches between begin and end that are not recorded
  std::vector<Row> rows_;
  std::map<uint64_t, uint64_t> row_of_key_;        // key -> row, from 1
  std::map<std::string, uint64_t> launches_;       // kernel -> launches that were looked at
  std::map<uint64_t, uint64_t> repeats_;           // key -> launches after its first recorded one
  std::vector<Done> done_;
  std::map<std::string, Kept> kept_;               // by symbol
  std::set<std::string> too_large_;                // symbols
  uint64_t kept_bytes_ = 0;                        // of all launches in done_

  std::string current_;                    // folder of the launch being recorded
  std::unique_ptr<LaunchMemory> reached_;  // its memory
};

}  // namespace capture
}  // namespace r3c
