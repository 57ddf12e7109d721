// The name of a kernel as its source spells it, from the mangled symbol.
#pragma once
#include <cxxabi.h>
#include <cstdlib>
#include <string>

namespace r3c {

// `_ZN2ns3addIfEEvPT_` -> `add`: no return type, namespaces, template arguments or parameters.
inline std::string source_name(const char* symbol) {
  int status = 0;
  char* text = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  std::string name = status == 0 ? text : symbol;
  free(text);
  size_t end = name.size();
  int depth = 0;  // cut the parameter list, then template arguments, then what stands before the name
  for (size_t i = 0; i < name.size(); i++) {
    if (name[i] == '<') depth++;
    if (name[i] == '>') depth--;
    const bool unnamed = name.compare(i, 21, "(anonymous namespace)") == 0;
    if (unnamed) i += 20;
    else if (name[i] == '(' && depth == 0) {
      end = i;
      break;
    }
  }
  name.resize(end);
  while (!name.empty() && name.back() == '>') {
    size_t at = name.size();
    for (depth = 0; at-- > 0;) {
      depth += (name[at] == '>') - (name[at] == '<');
      if (depth == 0) break;
    }
    name.resize(at == std::string::npos ? 0 : at);
  }
  const size_t start = name.find_last_of(" :)");
  return start == std::string::npos ? name : name.substr(start + 1);
}

}  // namespace r3c
