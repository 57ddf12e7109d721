// How a launch reaches a kernel: arguments by address, their places in a packed buffer, a function that calls.
#pragma once
#include <utility>

#include "r3c_device.h"

extern "C" {
struct r3c_Kernel {
  const char* name;              // name in the source
  const char* pretty;            // __PRETTY_FUNCTION__ of the stub: names the instantiation
  void (*run)(void** arguments);  // one thread
  const unsigned* offsets;       // of each argument in the packed buffer
  const unsigned* sizes;
  unsigned count;
  int fibers;                    // whether threads of a block wait for each other
};
void r3c_configure(dim3 grid, dim3 block, size_t shared_bytes, void* stream);
void r3c_launch(const struct r3c_Kernel* kernel, void** arguments);
void r3c_register_kernel(const void* function, const struct r3c_Kernel* kernel);
const struct r3c_Kernel* r3c_find_kernel(const void* function);
void r3c_register_variable(const char* name, void* address, size_t size_bytes);
}

namespace r3c {
// A variable of the module, in a list of its own translation unit and known to the runtime.
struct Variable {
  const char* name;
  void* address;
  size_t size_bytes;
  Variable* next;
  static inline Variable*& head();
  Variable(const char* n, const volatile void* a, size_t s) : name(n), address(const_cast<void*>(a)), size_bytes(s) {
    next = head();
    head() = this;
    r3c_register_variable(name, address, size_bytes);
  }
};
static Variable* variables_of_this_unit = nullptr;
inline Variable*& Variable::head() { return variables_of_this_unit; }

template <class... A> struct Layout {
  static constexpr unsigned count = sizeof...(A);
  unsigned offsets[count + 1] = {}, sizes[count + 1] = {};
  constexpr Layout() {
    const unsigned size[] = {(unsigned)sizeof(A)..., 0}, align[] = {(unsigned)alignof(A)..., 1};
    unsigned at = 0;
    for (unsigned i = 0; i < count; i++) {
      at = (at + align[i] - 1) / align[i] * align[i];
      offsets[i] = at, sizes[i] = size[i];
      at += size[i];
    }
  }
};
template <class T> using plain = std::remove_cv_t<std::remove_reference_t<T>>;

template <class... A> struct Arguments { static constexpr Layout<plain<A>...> layout{}; };

template <class... P, size_t... I>
inline void call(void (*function)(P...), void** a, std::index_sequence<I...>) { function(*(plain<P>*)a[I]...); }

// One thread of a kernel known by its pointer, which stands after the last argument.
template <class... P> inline void run_pointer(void** a) {
  call((void (*)(P...))a[sizeof...(P)], a, std::index_sequence_for<P...>{});
}
template <class... P> inline void launch_pointer(void (*function)(P...), same_t<plain<P>>... values) {
  const r3c_Kernel* known = r3c_find_kernel((const void*)function);
  const char* name = known ? known->name : "kernel";
  const auto& layout = Arguments<P...>::layout;
  const r3c_Kernel kernel = {name, known ? known->pretty : name, &run_pointer<P...>, layout.offsets, layout.sizes,
                             sizeof...(P), known ? known->fibers : 1};
  void* arguments[] = {(void*)&values..., (void*)function};
  r3c_launch(&kernel, arguments);
}
// The same with the addresses of the arguments, as cudaLaunchKernel takes them.
template <class... P> inline void launch_addresses(void (*function)(P...), void** given) {
  const r3c_Kernel* known = r3c_find_kernel((const void*)function);
  const char* name = known ? known->name : "kernel";
  const auto& layout = Arguments<P...>::layout;
  const r3c_Kernel kernel = {name, known ? known->pretty : name, &run_pointer<P...>, layout.offsets, layout.sizes,
                             sizeof...(P), known ? known->fibers : 1};
  void* arguments[sizeof...(P) + 1];
  for (size_t i = 0; i < sizeof...(P); i++) arguments[i] = given[i];
  arguments[sizeof...(P)] = (void*)function;
  r3c_launch(&kernel, arguments);
}
// Makes a kernel known by its address, for calls that take kernels as pointers.
struct Known {
  template <class... P>
  Known(void (*function)(P...), const char* name, int fibers) {
    static const r3c_Kernel kernel = {name, name, &run_pointer<P...>, Arguments<P...>::layout.offsets,
                                      Arguments<P...>::layout.sizes, sizeof...(P), fibers};
    // Several kernels may share a parameter list, and so this template's static: each gets a copy.
    r3c_Kernel* own = new r3c_Kernel(kernel);
    own->name = own->pretty = name, own->fibers = fibers;
    r3c_register_kernel((const void*)function, own);
  }
};
}  // namespace r3c

namespace r3c {
// A kernel known when it is compiled, for replay.
template <auto F> struct Entry;
template <class... P, void (*F)(P...)> struct Entry<F> {
  static void run(void** a) { call(F, a, std::index_sequence_for<P...>{}); }
  static r3c_Kernel kernel(const char* name, int fibers) {
    const auto& layout = Arguments<P...>::layout;
    return {name, name, &run, layout.offsets, layout.sizes, sizeof...(P), fibers};
  }
};
// `extern __shared__ T name[];` at namespace scope.
template <class T> struct DynamicShared {
  operator T*() const { return dynamic_shared<T>(); }
  T& operator[](size_t i) const { return dynamic_shared<T>()[i]; }
};
}  // namespace r3c

namespace r3c {
inline void configure(dim3 grid, dim3 block, size_t shared_bytes = 0, void* stream = nullptr) {
  r3c_configure(grid, block, shared_bytes, stream);
}
}  // namespace r3c
