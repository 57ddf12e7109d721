// r3c_add.cuh: tuned launches of kernel `add` of app.cu, written by r3c.
//
// Include it right after the definition of `add`, which stays as it is, and launch with
//   r3c_launch_add(grid, block, shared bytes, stream, arguments...)
// A tuned kernel is launched where device, launch shape and conditions are those it was verified for.
// Every other launch, and every launch of a build with -DR3C_DISABLE, is the original one.
//
// r3c_add
//   candidate   unroll{site=add/loop:s,factor=2} @ block{x=256,y=1,z=1}
//   device      NVIDIA H200, sm_90, driver 575.57
//   toolchain   nvcc 13.0 -O3
//   recordings  0123456789abcdef
//   original    0.0123 ms [0.0121, 0.0125] a launch, 100 samples
//   tuned       0.0083 ms [0.0081, 0.0085] a launch, 100 samples
//   gain        1.48 times as fast, at least 1.42
//   made by     r3c 0.1.0 on 2026-01-02
//   used for    blocks of 128 x 1 x 1 threads

#ifndef R3C_ADD_CUH
#define R3C_ADD_CUH

#ifndef R3C_DISABLE
// What was done to `add` to get `r3c_add`, in order, and why it is legal:
//   1. unroll{site=add/loop:s,factor=2}
//      unroll by 2 at add/loop:s
static __global__ void r3c_add(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  #pragma unroll 2
  for (int s = 0; s < 8; s++) a[i] += 1.0f;
}
#endif

#ifndef R3C_DISABLE
// Whether the current device has this architecture. The CPU device of r3c (R3C_CPU) takes every variant.
static inline bool r3c_is_architecture_add(int r3c_wanted)
{
#ifdef R3C_CPU
    (void)r3c_wanted;
    return true;
#else
    int r3c_device = 0, r3c_major = 0, r3c_minor = 0;
    return cudaGetDevice(&r3c_device) == cudaSuccess
        && cudaDeviceGetAttribute(&r3c_major, cudaDevAttrComputeCapabilityMajor, r3c_device) == cudaSuccess
        && cudaDeviceGetAttribute(&r3c_minor, cudaDevAttrComputeCapabilityMinor, r3c_device) == cudaSuccess
        && 10 * r3c_major + r3c_minor == r3c_wanted;
#endif
}

// Blocks needed for `r3c_threads` indices when one block handles `r3c_each` of them.
static inline unsigned r3c_cover_add(unsigned long long r3c_threads, unsigned long long r3c_each)
{
    return static_cast<unsigned>((r3c_threads + r3c_each - 1) / r3c_each);
}
#endif

static inline void r3c_launch_add(dim3 r3c_grid, dim3 r3c_block, size_t r3c_shared, cudaStream_t r3c_stream,
                                  float *a, int n)
{
#ifndef R3C_DISABLE
    // r3c_add: sm_90
    if (r3c_is_architecture_add(90)
        && (r3c_block.x == 128 && r3c_block.y == 1 && r3c_block.z == 1)) {
        // The smallest grid that covers every index of the original launch.
        const dim3 r3c_new_block(256, 1, 1);
        const dim3 r3c_new_grid(r3c_cover_add(1ull * r3c_grid.x * r3c_block.x, 256),
                                r3c_cover_add(1ull * r3c_grid.y * r3c_block.y, 1),
                                r3c_cover_add(1ull * r3c_grid.z * r3c_block.z, 1));
        const size_t r3c_new_shared = r3c_shared;
        if (r3c_new_grid.y <= 65535 && r3c_new_grid.z <= 65535
            && (r3c_new_shared <= 48 * 1024
                || cudaFuncSetAttribute(r3c_add, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        static_cast<int>(r3c_new_shared)) == cudaSuccess)) {
            r3c_add<<<r3c_new_grid, r3c_new_block, r3c_new_shared, r3c_stream>>>(a, n);
            return;
        }
        (void)cudaGetLastError();
    }
#endif
    add<<<r3c_grid, r3c_block, r3c_shared, r3c_stream>>>(a, n);
}

#endif
