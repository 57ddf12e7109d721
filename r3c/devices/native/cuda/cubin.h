// What a loaded cubin says about itself: which kernels it holds and which variables it defines.
#pragma once
#include <elf.h>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace r3c {

struct Variable {
  std::string name;
  size_t size;
};

struct Cubin {
  std::string bytes;

  const Elf64_Shdr* section(size_t index) const {
    auto header = reinterpret_cast<const Elf64_Ehdr*>(bytes.data());
    return reinterpret_cast<const Elf64_Shdr*>(bytes.data() + header->e_shoff) + index;
  }

  bool is_elf() const { return bytes.size() > sizeof(Elf64_Ehdr) && !memcmp(bytes.data(), ELFMAG, SELFMAG); }

  std::string section_name(size_t index) const {
    auto header = reinterpret_cast<const Elf64_Ehdr*>(bytes.data());
    auto names = section(header->e_shstrndx);
    return bytes.data() + names->sh_offset + section(index)->sh_name;
  }

  size_t sections() const { return reinterpret_cast<const Elf64_Ehdr*>(bytes.data())->e_shnum; }

  bool has_kernel(const std::string& symbol) const {
    if (!is_elf()) return false;
    for (size_t i = 0; i < sections(); i++)
      if (section_name(i) == ".text." + symbol) return true;
    return false;
  }

  // Every __device__ and __constant__ variable; compiler-made constant banks are no symbols and stay out.
  std::vector<Variable> variables() const {
    std::vector<Variable> out;
    if (!is_elf()) return out;
    for (size_t i = 0; i < sections(); i++) {
      if (section(i)->sh_type != SHT_SYMTAB) continue;
      auto symbols = reinterpret_cast<const Elf64_Sym*>(bytes.data() + section(i)->sh_offset);
      const char* names = bytes.data() + section(section(i)->sh_link)->sh_offset;
      for (size_t k = 0; k < section(i)->sh_size / sizeof(Elf64_Sym); k++) {
        const Elf64_Sym& symbol = symbols[k];
        if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || !symbol.st_size || symbol.st_shndx >= sections()) continue;
        std::string where = section_name(symbol.st_shndx);
        if (where.rfind(".nv.global", 0) == 0 || where.rfind(".nv.constant3", 0) == 0)
          out.push_back({names + symbol.st_name, symbol.st_size});
      }
    }
    return out;
  }

  // Names of all that kernel `symbol` can call, itself included, by the call graph that the assembler leaves: functions
  // of this module, and what the driver provides (malloc, vprintf, __cuda_syscall_cnpv2LaunchDeviceV2).
  std::set<std::string> reached(const std::string& symbol) const {
    std::multimap<std::string, std::string> graph;
    std::vector<std::string> names = symbol_names();
    for (size_t i = 0; i < (is_elf() ? sections() : 0); i++) {
      if (section_name(i) != ".nv.callgraph") continue;
      auto pairs = reinterpret_cast<const int32_t*>(bytes.data() + section(i)->sh_offset);
      for (size_t k = 0; k + 1 < section(i)->sh_size / sizeof(int32_t); k += 2) {
        const int32_t from = pairs[k], to = pairs[k + 1];  // negative ones stand for no function
        if (from > 0 && to > 0 && size_t(from) < names.size() && size_t(to) < names.size())
          graph.emplace(names[from], names[to]);
      }
    }
    std::set<std::string> found = {symbol};
    std::vector<std::string> waiting = {symbol};
    while (!waiting.empty()) {
      auto range = graph.equal_range(waiting.back());
      waiting.pop_back();
      for (auto one = range.first; one != range.second; ++one)
        if (found.insert(one->second).second) waiting.push_back(one->second);
    }
    return found;
  }

  // Whether one of `functions` calls through a register. What the driver provides is called so as well, by an absolute
  // address; then only the relative form, which the compiler uses within a module, tells.
  bool calls_indirectly(const std::set<std::string>& functions) const {
    bool absolute = false, relative = false, provided = false;
    for (const std::string& name : functions) {
      const Elf64_Shdr* text = nullptr;
      for (size_t i = 0; i < (is_elf() ? sections() : 0); i++)
        if (section_name(i) == ".text." + name) text = section(i);
      provided = provided || (!text && !name.empty() && name[0] != '.');
      for (size_t at = 0; text && at + 16 <= text->sh_size; at += 16) {
        uint64_t word;
        memcpy(&word, bytes.data() + text->sh_offset + at, 8);
        absolute = absolute || (word & 0xfff) == kCallAbsoluteRegister;
        relative = relative || (word & 0xfff) == kCallRelativeRegister;
      }
    }
    return relative || (absolute && !provided);
  }

 private:
  static constexpr uint64_t kCallAbsoluteRegister = 0x343, kCallRelativeRegister = 0x344;  // since sm_70

  std::vector<std::string> symbol_names() const {
    std::vector<std::string> out;
    for (size_t i = 0; i < (is_elf() ? sections() : 0); i++) {
      if (section(i)->sh_type != SHT_SYMTAB) continue;
      auto symbols = reinterpret_cast<const Elf64_Sym*>(bytes.data() + section(i)->sh_offset);
      const char* names = bytes.data() + section(section(i)->sh_link)->sh_offset;
      for (size_t k = 0; k < section(i)->sh_size / sizeof(Elf64_Sym); k++) out.push_back(names + symbols[k].st_name);
    }
    return out;
  }
};

}  // namespace r3c
