// A stand-in for a device's runtime: five buffers, one global, and launches as the test asks for.
// usage: recorded_app SCENARIO
#include <thread>

#include "capture.h"

using namespace r3c::capture;

static uint64_t heap[5][64];  // 0 -> 1 -> 2 by pointers; 3 by the global; 4 by nothing
static uint64_t variable[2];
static std::vector<uint64_t> large;  // two pieces; reached by 0, and reaches 4 by its last word
static size_t touched = 0;           // word of it that launches change
static int failing_reads = 0;

static Memory memory() {
  Memory m;
  m.read = [](uint64_t from, void *to, uint64_t n) {
    if (failing_reads && --failing_reads == 0) return false;
    memcpy(to, reinterpret_cast<void *>(from), n);
    return true;
  };
  m.allocations = [] {
    std::vector<Allocation> all;
    for (int i = 4; i >= 0; i--) all.push_back({reinterpret_cast<uint64_t>(heap[i]), sizeof heap[i]});
    if (!large.empty()) all.push_back({reinterpret_cast<uint64_t>(large.data()), large.size() * 8});
    return all;
  };
  m.globals = [](const Launch &) {
    return std::vector<Global>{{"variable", reinterpret_cast<uint64_t>(variable), sizeof variable}};
  };
  return m;
}

static void launch(Writer &writer, const char *kernel, int scalar, unsigned grid = 1, uint64_t *to = heap[0]) {
  Launch l;
  l.kernel = kernel;
  l.symbol = std::string("_Z1") + kernel;
  l.grid[0] = grid;
  l.packed.resize(16);
  memcpy(&l.packed[0], &to, 8);
  memcpy(&l.packed[8], &scalar, 4);
  l.arguments = {{0, 8}, {8, 4}};
  l.attributes = {{"max_dynamic_shared_size_bytes", 1024}};
  Ticket ticket = writer.begin(l);
  heap[2][7]++;
  if (!large.empty()) large[touched]++;
  writer.end(ticket, 10.0);
}

int main(int, char **argv) {
  const std::string scenario = argv[1];
  heap[0][3] = reinterpret_cast<uint64_t>(&heap[1][5]);
  heap[1][0] = reinterpret_cast<uint64_t>(&heap[2][0]);
  variable[1] = reinterpret_cast<uint64_t>(&heap[3][0]);
  if (scenario == "global-pointer") heap[2][0] = reinterpret_cast<uint64_t>(&variable[0]);
  Writer writer(memory());
  if (scenario == "repeats") {
    for (int i = 0; i < 20; i++) launch(writer, "k", 1);
  } else if (scenario == "kinds") {
    for (int i = 0; i < 10; i++) launch(writer, "k", 1);
    for (int i = 2; i < 6; i++) launch(writer, "k", i, i);
    for (int i = 0; i < 3; i++) launch(writer, "other", 1);
  } else if (scenario == "pointers") {
    for (int i = 0; i < 4; i++) launch(writer, "k", 1, 1, heap[i % 2]);
  } else if (scenario == "crash") {
    launch(writer, "k", 1);
    launch(writer, "k", 2);
    Launch l;
    l.kernel = l.symbol = "k";
    writer.begin(l);
    abort();
  } else if (scenario == "fails") {
    launch(writer, "k", 1);
    failing_reads = 3;
    for (int i = 2; i < 5; i++) launch(writer, "k", i);
  } else if (scenario == "threads") {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++)
      threads.emplace_back([&writer, t] {
        for (int i = 0; i < 50; i++) launch(writer, "k", t);
      });
    for (auto &thread : threads) thread.join();
  } else if (scenario == "large") {
    large.resize((66 << 20) / 8);
    for (size_t i = 0; i < large.size(); i++) large[i] = i;
    heap[0][4] = reinterpret_cast<uint64_t>(large.data());
    large.back() = reinterpret_cast<uint64_t>(&heap[4][1]);
    for (int i = 0; i < 3; i++) {
      touched = i ? 1000000 * i : large.size() - 2;
      launch(writer, "k", i);
    }
  } else if (scenario == "forks") {
    launch(writer, "k", 1);
    if (fork() == 0) {
      launch(writer, "k", 2);
      return 0;
    }
    launch(writer, "k", 3);
  } else {
    launch(writer, "k", 1);
    writer.save_module("cubin", 5);
  }
  puts("done");
}
