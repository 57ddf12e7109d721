// What a device's runtime tells the capture writer about a launch and its memory, and the JSON text of both.
#pragma once

#include <stdint.h>
#include <stdio.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace r3c {
namespace capture {

struct Allocation {
  uint64_t address;
  uint64_t size_bytes;
  const char *kind = "device";           // "device", "managed" or "host"; must outlive the call
  std::vector<std::string> before = {};  // files with what it held before the launch, in order
};

struct Global {
  std::string name;
  uint64_t address;
  uint64_t size_bytes;
  std::vector<std::string> before = {};
};

// What a launch changed: `size_bytes` at `offset_bytes` of an allocation or a global; they lie at `at_bytes` of after.bin.
struct Change {
  std::string of;  // address in hex, or g.<global>
  uint64_t offset_bytes, size_bytes, at_bytes;
};

struct Argument {
  uint64_t offset_bytes;
  uint64_t size_bytes;
};

struct Launch {
  std::string kernel;  // name in the source
  std::string symbol;  // name in the module
  unsigned grid[3] = {1, 1, 1};
  unsigned block[3] = {1, 1, 1};
  uint64_t shared_bytes = 0;
  std::vector<Argument> arguments;
  std::vector<uint8_t> packed;  // arguments at their offsets, the gaps zero
  std::map<std::string, long long> attributes;
  std::string module;  // what save_module returned, or empty
};

struct Memory {
  std::function<bool(uint64_t address, void *to, uint64_t size_bytes)> read;  // waits for the device; false: failed
  std::function<std::vector<Allocation>()> allocations;
  std::function<std::vector<Global>(const Launch &)> globals;  // those of the launch's module
  std::function<void(void *memory, uint64_t size_bytes)> pin = {};  // makes reading into that memory fast, if it can
};

// What `begin` hands to `end`.
struct Ticket {
  uint64_t row = 0;        // row of the counts, from 1; 0: nothing is captured in this process
  bool recording = false;  // whether this launch is being recorded; other launches wait until `end`
};

inline uint64_t hash_bytes(const void *data, size_t size, uint64_t seed = 1469598103934665603ull) {
  const uint8_t *bytes = static_cast<const uint8_t *>(data);
  for (size_t i = 0; i < size; i++) seed = (seed ^ bytes[i]) * 1099511628211ull;
  return seed;
}

inline std::string hex(uint64_t value) {
  char text[20];
  snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(value));
  return text;
}

inline std::string quoted(const std::string &text) {
  std::string out = "\"";
  for (unsigned char c : text) {
    char escape[8];
    if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c < 0x20) {
      snprintf(escape, sizeof escape, "\\u%04x", c);
      out += escape;
    } else {
      out += static_cast<char>(c);
    }
  }
  return out + "\"";
}

inline std::string triple(const unsigned *v) {
  return "[" + std::to_string(v[0]) + "," + std::to_string(v[1]) + "," + std::to_string(v[2]) + "]";
}

struct Row {  // launches of the same kernel, geometry and arguments that are not pointers
  std::string kernel, symbol;
  unsigned grid[3], block[3];
  uint64_t shared_bytes, key, count = 0, recorded = 0;
  double total_us = 0;
};

// A word that leads to a global and where it lies, in words; both empty where there is none.
struct PointerToGlobal {
  std::string global, lies_in;
};

// The items of a list, each made by `text`, between commas.
template <class List, class Text>
std::string joined(const List &list, Text text) {
  std::string out;
  for (const auto &item : list) out += (out.empty() ? "" : ",") + text(item);
  return out;
}

inline std::string launch_json(const Launch &launch, uint64_t key, const std::vector<Allocation> &allocations,
                               const std::vector<Global> &globals, const PointerToGlobal &pointer) {
  auto number = [](uint64_t value) { return std::to_string(value); };
  const std::string arguments = joined(launch.arguments, [&](const Argument &a) {
    return "{\"offset\":" + number(a.offset_bytes) + ",\"size\":" + number(a.size_bytes) + "}";
  });
  const std::string attributes = joined(launch.attributes, [](const std::pair<const std::string, long long> &a) {
    return quoted(a.first) + ":" + std::to_string(a.second);
  });
  const std::string memory = joined(allocations, [&](const Allocation &a) {
    return "{\"address\":" + number(a.address) + ",\"size\":" + number(a.size_bytes) + ",\"kind\":" + quoted(a.kind) +
           ",\"before\":[" + joined(a.before, quoted) + "]}";
  });
  const std::string variables = joined(globals, [&](const Global &g) {
    return "{\"name\":" + quoted(g.name) + ",\"address\":" + number(g.address) + ",\"size\":" + number(g.size_bytes) +
           ",\"before\":[" + joined(g.before, quoted) + "]}";
  });
  std::string packed;
  for (uint8_t byte : launch.packed) {
    packed += "0123456789abcdef"[byte >> 4];
    packed += "0123456789abcdef"[byte & 15];
  }
  return "{\"kernel\":" + quoted(launch.kernel) + ",\"symbol\":" + quoted(launch.symbol) +
         ",\"grid\":" + triple(launch.grid) + ",\"block\":" + triple(launch.block) +
         ",\"shared_bytes\":" + number(launch.shared_bytes) + ",\"key\":" + quoted(hex(key)) + ",\"arguments\":[" +
         arguments + "],\"packed\":\"" + packed + "\",\"attributes\":{" + attributes + "},\"allocations\":[" + memory +
         "],\"globals\":[" + variables + "],\"module\":" + quoted(launch.module) + ",\"pointer_to_global\":" +
         quoted(pointer.global) + ",\"pointer_lies_in\":" + quoted(pointer.lies_in) + "}\n";
}

inline std::string changes_json(const std::vector<Change> &changes) {
  return "[" + joined(changes, [](const Change &c) {
    return "\n{\"of\":" + quoted(c.of) + ",\"offset\":" + std::to_string(c.offset_bytes) + ",\"size\":" +
           std::to_string(c.size_bytes) + ",\"at\":" + std::to_string(c.at_bytes) + "}";
  }) + "]\n";
}

inline std::string counts_json(const std::vector<Row> &rows) {
  return "[" + joined(rows, [](const Row &r) {
    char total[40];
    snprintf(total, sizeof total, "%.3f", r.total_us);
    return "\n{\"kernel\":" + quoted(r.kernel) + ",\"symbol\":" + quoted(r.symbol) + ",\"grid\":" + triple(r.grid) +
           ",\"block\":" + triple(r.block) + ",\"shared_bytes\":" + std::to_string(r.shared_bytes) + ",\"key\":" +
           quoted(hex(r.key)) + ",\"count\":" + std::to_string(r.count) + ",\"total_us\":" + total + "}";
  }) + "]\n";
}

}  // namespace capture
}  // namespace r3c
