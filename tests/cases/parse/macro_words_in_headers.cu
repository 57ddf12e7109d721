DEVICE_INLINE float square(float v) { return v * v; }
DEVICE float twice(const float *RESTRICT v, float3 UNUSED w) { return 2 * v[0]; }
__device__ REAL cube(REAL v) { return v * v * v; }
