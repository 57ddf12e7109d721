// What a loaded cubin says about itself: which kernels it holds and which variables it defines.
#pragma once
#include <elf.h>
#include <cstring>
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

  // Whether device code in here refers to runtime function `name` (malloc, cudaLaunchDeviceV2).
  bool calls(const std::string& name) const {
    const std::string entry = std::string(1, '\0') + name + std::string(1, '\0');
    return bytes.find(entry) != std::string::npos;
  }
};

}  // namespace r3c
