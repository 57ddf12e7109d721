// Compares device memory where it lies. Expected bytes are stored masked, each 8-byte word by a number that only this
// comparison is told, so that no kernel under test can read the answer. All offsets have 64 bits.
//
// Compile without contraction (--fmad=false): tolerances are computed as on the host.

typedef unsigned long long u64;
typedef unsigned char u8;

enum Kind { kExact = 0, kFloat = 1, kDouble = 2, kHalf = 3, kBfloat = 4, kSigned = 5, kUnsigned = 6 };

__device__ static u64 mix(u64 x) {
  x ^= x >> 30;
  x *= 0xBF58476D1CE4E5B9ull;
  x ^= x >> 27;
  x *= 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

// Key 0 stands for bytes that are stored as they are.
__device__ static u64 mask_of(u64 key, u64 word) { return key ? mix(key + word * 0x9E3779B97F4A7C15ull) : 0; }

__device__ static u64 load(const u8 *from, u64 count) {
  if (count == 8 && ((u64)from & 7) == 0) return *(const u64 *)from;
  u64 word = 0;
  for (u64 k = 0; k < count; k++) word |= (u64)from[k] << (8 * k);
  return word;
}

__device__ static u64 low_bytes(u64 word, u64 count) { return count == 8 ? word : word & ((1ull << (8 * count)) - 1); }

// Masks or unmasks `size` bytes.
extern "C" __global__ void r3c_mask(u8 *data, u64 size, u64 key) {
  const u64 stride = (u64)gridDim.x * blockDim.x;
  for (u64 w = (u64)blockIdx.x * blockDim.x + threadIdx.x; w * 8 < size; w += stride) {
    const u64 count = size - w * 8 < 8 ? size - w * 8 : 8, mask = mask_of(key, w);
    u8 *at = data + w * 8;
    if (count == 8 && ((u64)at & 7) == 0) {
      *(u64 *)at ^= mask;
      continue;
    }
    for (u64 k = 0; k < count; k++) at[k] ^= (u8)(mask >> (8 * k));
  }
}

// out[0]: words that differ; out[1], out[2]: a digest of `got`, by `secret`.
extern "C" __global__ void r3c_same(const u8 *got, const u8 *expected, u64 size, u64 key, u64 secret, u64 *out) {
  __shared__ u64 part[3];
  if (threadIdx.x < 3) part[threadIdx.x] = 0;
  __syncthreads();
  u64 differing = 0, first = 0, second = 0;
  const u64 stride = (u64)gridDim.x * blockDim.x;
  for (u64 w = (u64)blockIdx.x * blockDim.x + threadIdx.x; w * 8 < size; w += stride) {
    const u64 count = size - w * 8 < 8 ? size - w * 8 : 8;
    const u64 word = load(got + w * 8, count);
    differing += word != (load(expected + w * 8, count) ^ low_bytes(mask_of(key, w), count));
    const u64 hash = mix(word ^ mix(secret + w));
    first += hash;
    second += mix(hash ^ 0xD6E8FEB86659FD93ull);
  }
  if (differing) atomicAdd(&part[0], differing);
  atomicAdd(&part[1], first);
  atomicAdd(&part[2], second);
  __syncthreads();
  if (threadIdx.x < 3 && part[threadIdx.x]) atomicAdd(&out[threadIdx.x], part[threadIdx.x]);
}

__device__ static double half_value(unsigned bits) {
  const unsigned exponent = (bits >> 10) & 31, fraction = bits & 1023;
  const double sign = bits & 0x8000 ? -1.0 : 1.0;
  if (exponent == 0) return sign * (double)fraction * 0x1p-24;
  u64 whole = ((u64)(exponent == 31 ? 2047 : exponent - 15 + 1023) << 52) | ((u64)fraction << 42);
  whole |= (u64)(bits & 0x8000) << 48;
  return *(const double *)&whole;
}

__device__ static double value_of(u64 bits, unsigned width, unsigned kind) {
  const unsigned low = (unsigned)bits;
  if (kind == kDouble) return *(const double *)&bits;
  if (kind == kFloat) return (double)*(const float *)&low;
  if (kind == kHalf) return half_value(low);
  if (kind == kBfloat) {
    const unsigned whole = low << 16;
    return (double)*(const float *)&whole;
  }
  if (kind == kUnsigned) return (double)bits;
  const unsigned unused = 64 - 8 * width;
  return (double)((long long)(bits << unused) >> unused);
}

__device__ static bool is_number(double x) { return x - x == 0.0; }

// NaN equals only NaN, an infinity only itself.
__device__ static bool within(double e, double g, double rtol, double atol) {
  if (e == g || (e != e && g != g)) return true;
  if (!is_number(e) || !is_number(g)) return false;
  const double far = g > e ? g - e : e - g, size = e < 0 ? -e : e;
  const double share = rtol * size;
  return far <= atol + share;
}

// Whether [at, at + width) overlaps one of the ranges, given as start and stop by turns, sorted.
__device__ static bool touched(const u64 *ranges, u64 count, u64 at, u64 width) {
  u64 low = 0, high = count;
  while (low < high) {
    const u64 middle = (low + high) / 2;
    if (ranges[2 * middle] < at + width) low = middle + 1;
    else high = middle;
  }
  return low > 0 && ranges[2 * (low - 1) + 1] > at;
}

// One buffer of `size` bytes, `offset` bytes from where its masks begin: `lead` bytes, whole elements, bytes left over.
// out[0]: wrong elements; out[1]: offset of the first; out[2]: elements whose bytes differ; out[3]: bits of the largest
// error among those that differ and are right.
extern "C" __global__ void r3c_compare(const u8 *got, const u8 *expected, u64 offset, u64 size, u64 lead, u64 key,
                                       const u64 *changed, u64 changed_count, double rtol, double atol, unsigned width,
                                       unsigned kind, u64 *out) {
  const u64 head = lead < size ? lead : size, whole = (size - head) / width;
  const u64 items = head + whole + (size - head - whole * width);
  const u64 stride = (u64)gridDim.x * blockDim.x;
  for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < items; i += stride) {
    const bool element = i >= head && i < head + whole;
    const u64 at = i < head ? i : element ? head + (i - head) * width : i - whole + whole * width;
    const u64 count = element ? width : 1;
    u64 g = 0, e = 0;
    for (u64 k = 0; k < count; k++) {
      const u64 place = offset + at + k;
      g |= (u64)got[at + k] << (8 * k);
      e |= (u64)(u8)(expected[at + k] ^ (u8)(mask_of(key, place / 8) >> (8 * (place % 8)))) << (8 * k);
    }
    if (g == e) continue;
    atomicAdd(&out[2], 1ull);
    if (kind != kExact && count == width && touched(changed, changed_count, at, count)) {
      const double now = value_of(g, width, kind), then = value_of(e, width, kind);
      if (within(then, now, rtol, atol)) {
        const double error = now > then ? now - then : then - now;
        if (error > 0 && is_number(error)) atomicMax(&out[3], *(const u64 *)&error);
        continue;
      }
    }
    atomicAdd(&out[0], 1ull);
    atomicMin(&out[1], at);
  }
}
