"""Toolchains: source to machine code. `host` for the CPU device, `nvcc`, `nvrtc` and `llvm` for CUDA."""
