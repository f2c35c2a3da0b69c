// SPDX-License-Identifier: Apache-2.0
//
// What a reduction computes, for each type and operator, on words of several elements. The results
// are those of docs/numerics.md, bit by bit. A word may hold fewer elements than it has room for;
// what is in the rest does not matter.
#ifndef NITINOL_TYPES_CUH
#define NITINOL_TYPES_CUH

#include "device.cuh"

enum Operator { SUM, PROD, MAX, MIN, SCALED };

// Bytes that are only moved.
struct Bytes {
  typedef u32 Word;
  static const u32 SIZE = 1;
  static const bool SCALES = false;
  static NITINOL_INLINE u32 combine(u32 a, u32 b) { return b; }
  static NITINOL_INLINE u32 pre(u32 a, u64 scalar) { return a; }
  static NITINOL_INLINE u32 reciprocal(u32 divisor) { return 0; }
  static NITINOL_INLINE u32 post(u32 a, u32 reciprocal) { return a; }
};

// 8-bit integers, four to a word.
template <int OP, bool SIGNED>
struct Integer8 {
  typedef u32 Word;
  static const u32 SIZE = 1;
  static const bool SCALES = OP == SCALED;

  static NITINOL_INLINE u32 product(u32 a, u32 b) {
    u32 even = ((a * b) & 0xff) | ((((a >> 16) & 0xff) * ((b >> 16) & 0xff) & 0xff) << 16);
    u32 odd = (((a >> 8) * ((b >> 8) & 0xff) & 0xff) << 8) | ((a >> 24) * (b >> 24) << 24);
    return even | odd;
  }
  static NITINOL_INLINE u32 combine(u32 a, u32 b) {
    if (OP == PROD) return product(a, b);
    if (OP == MAX) return SIGNED ? __vmaxs4(a, b) : __vmaxu4(a, b);
    if (OP == MIN) return SIGNED ? __vmins4(a, b) : __vminu4(a, b);
    return ((a & 0x7f7f7f7f) + (b & 0x7f7f7f7f)) ^ ((a ^ b) & 0x80808080);
  }
  static NITINOL_INLINE u32 pre(u32 a, u64 scalar) {
    return product(a, ((u32)scalar & 0xff) * 0x01010101u);
  }
  // x * (65536 / divisor, rounded up) / 65536 is x / divisor for all x < 256: it is in the third
  // byte of the product.
  static NITINOL_INLINE u32 reciprocal(u32 divisor) {
    return divisor > 255 ? 0 : 65535 / divisor + 1;
  }
  static NITINOL_INLINE u32 quotients(u32 a, u32 factor) {
    u32 low = __byte_perm((a & 0xff) * factor, ((a >> 8) & 0xff) * factor, 0x0062);
    u32 high = __byte_perm(((a >> 16) & 0xff) * factor, (a >> 24) * factor, 0x0062);
    return __byte_perm(low, high, 0x5410);
  }
  static NITINOL_INLINE u32 post(u32 a, u32 factor) {
    if (!SIGNED) return quotients(a, factor);
    // Of magnitudes, which are at most 128, and then the signs again.
    u32 sign = (a >> 7) & 0x01010101, ones = sign * 0xff;
    u32 q = quotients((a ^ ones) + sign, factor) ^ ones;
    return ((q & 0x7f7f7f7f) + sign) ^ (q & 0x80808080);
  }
};

template <int OP, bool SIGNED, class W, class S>
struct Integer {
  typedef W Word;
  static const u32 SIZE = sizeof(W);
  static const bool SCALES = OP == SCALED;

  static NITINOL_INLINE W combine(W a, W b) {
    if (OP == PROD) return a * b;
    if (OP == MAX) return (SIGNED ? (S)a > (S)b : a > b) ? a : b;
    if (OP == MIN) return (SIGNED ? (S)a < (S)b : a < b) ? a : b;
    return a + b;
  }
  static NITINOL_INLINE W pre(W a, u64 scalar) { return a * (W)scalar; }
  static NITINOL_INLINE u32 reciprocal(u32 divisor) { return divisor; }
  static NITINOL_INLINE W post(W a, u32 divisor) {
    if (SIGNED && (S)a < 0) return 0 - (0 - a) / divisor;
    return a / divisor;
  }
};

// Floats compare as signed integers once their magnitude is turned round under a sign; -0 is below
// +0. A NaN is made the least of all keys, which stands for a NaN again.
template <int OP, class W, class S>
struct FloatOrder {
  static NITINOL_INLINE W turn(W bits) { return bits ^ ((W)((S)bits >> (sizeof(W) * 8 - 1)) >> 1); }
  static NITINOL_INLINE S key(W bits, W infinity) {
    W none = (W)1 << (sizeof(W) * 8 - 1);
    W key = turn(bits) ^ (OP == MIN ? ~(W)0 : 0);
    return (S)((bits & ~none) > infinity ? none : key);
  }
  static NITINOL_INLINE W best(W a, W b, W infinity) {
    S x = key(a, infinity), y = key(b, infinity);
    return turn((W)(x > y ? x : y) ^ (OP == MIN ? ~(W)0 : 0));
  }
};

template <int OP>
struct Float32 {
  typedef u32 Word;
  static const u32 SIZE = 4;
  static const bool SCALES = OP == SCALED;

  static NITINOL_INLINE u32 combine(u32 a, u32 b) {
    if (OP == MAX || OP == MIN) return FloatOrder<OP, u32, int>::best(a, b, 0x7f800000u);
    if (OP == PROD) return as_bits(multiply(as_float(a), as_float(b)));
    return as_bits(add(as_float(a), as_float(b)));
  }
  static NITINOL_INLINE u32 pre(u32 a, u64 scalar) {
    return as_bits(multiply(as_float(a), as_float((u32)scalar)));
  }
  static NITINOL_INLINE u32 reciprocal(u32 divisor) { return 0; }
  static NITINOL_INLINE u32 post(u32 a, u32 reciprocal) { return a; }
};

template <int OP>
struct Float64 {
  typedef u64 Word;
  static const u32 SIZE = 8;
  static const bool SCALES = OP == SCALED;

  // The NaN of binary64 operations differs among GPUs.
  static NITINOL_INLINE u64 one_nan(double v) {
    return v == v ? as_bits(v) : 0x7fffffffffffffffull;
  }
  static NITINOL_INLINE u64 combine(u64 a, u64 b) {
    if (OP == MAX || OP == MIN) {
      return FloatOrder<OP, u64, long long>::best(a, b, 0x7ff0000000000000ull);
    }
    if (OP == PROD) return one_nan(multiply(as_double(a), as_double(b)));
    return one_nan(add(as_double(a), as_double(b)));
  }
  static NITINOL_INLINE u64 pre(u64 a, u64 scalar) {
    return one_nan(multiply(as_double(a), as_double(scalar)));
  }
  static NITINOL_INLINE u32 reciprocal(u32 divisor) { return 0; }
  static NITINOL_INLINE u64 post(u64 a, u32 reciprocal) { return a; }
};

struct Half {
  static const u32 INFINITY_BITS = 0x7c00;
  static NITINOL_INLINE float low(u32 v) { return half_to_float(v); }
  static NITINOL_INLINE float high(u32 v) { return half_to_float(v >> 16); }
  static NITINOL_INLINE u32 pack(float low, float high) { return pack_half(low, high); }
};
struct Bfloat16 {
  static const u32 INFINITY_BITS = 0x7f80;
  static NITINOL_INLINE float low(u32 v) { return as_float(v << 16); }
  static NITINOL_INLINE float high(u32 v) { return as_float(v & 0xffff0000u); }
  static NITINOL_INLINE u32 pack(float low, float high) { return pack_bfloat16(low, high); }
};

// 16-bit floats, two to a word, computed in binary32.
template <int OP, class F>
struct Float16 {
  typedef u32 Word;
  static const u32 SIZE = 2;
  static const bool SCALES = OP == SCALED;

  static NITINOL_INLINE u32 combine(u32 a, u32 b) {
    if (OP == MAX || OP == MIN) {
      typedef FloatOrder<OP, u32, int> Order;
      u32 infinity = (F::INFINITY_BITS << 16) | 0xffff;
      u32 high = Order::best(a & 0xffff0000u, b & 0xffff0000u, infinity);
      u32 low = Order::best(a << 16, b << 16, infinity);
      return (high & 0xffff0000u) | (low >> 16);
    }
    if (OP == PROD) {
      return F::pack(multiply(F::low(a), F::low(b)), multiply(F::high(a), F::high(b)));
    }
    return F::pack(add(F::low(a), F::low(b)), add(F::high(a), F::high(b)));
  }
  static NITINOL_INLINE u32 pre(u32 a, u64 scalar) {
    float factor = as_float((u32)scalar);
    return F::pack(multiply(F::low(a), factor), multiply(F::high(a), factor));
  }
  static NITINOL_INLINE u32 reciprocal(u32 divisor) { return 0; }
  static NITINOL_INLINE u32 post(u32 a, u32 reciprocal) { return a; }
};

// Rounds to an 8-bit float of MANTISSA bits with the exponent bias BIAS: overflow of a finite
// number gives GREATEST, infinity gives INFINITE.
template <int MANTISSA, int BIAS, u32 GREATEST, u32 INFINITE>
NITINOL_INLINE u32 round_to_float8(float value) {
  const int DROPPED = 23 - MANTISSA;
  u32 bits = as_bits(value), sign = (bits >> 24) & 0x80, magnitude = bits & 0x7fffffff, code;
  if (magnitude > 0x7f800000) return 0x7f;
  if (magnitude == 0x7f800000) return sign | INFINITE;
  if (magnitude >= (u32)(128 - BIAS) << 23) {
    u32 rounded = magnitude + (1u << (DROPPED - 1)) - 1 + ((magnitude >> DROPPED) & 1);
    code = (rounded >> DROPPED) - ((u32)(127 - BIAS) << MANTISSA);
    code = code > GREATEST ? GREATEST : code;
  } else {
    // Beside this number a unit in the last place is the least subnormal, so the sum is rounded.
    const u32 MAGIC = (u32)(127 + 23 + 1 - BIAS - MANTISSA) << 23;
    code = as_bits(add(as_float(magnitude), as_float(MAGIC))) - MAGIC;
  }
  return sign | code;
}

struct E4m3 {
  static const u32 LARGEST = 0x7e;  // magnitudes above it are NaN
  static const bool INFINITE = false;
  static NITINOL_INLINE float widen(u32 v) {
    u32 magnitude = v & 0x7f;
    if (magnitude == 0x7f) return as_float(0x7fffffff);
    return multiply(as_float(((v & 0x80) << 24) | (magnitude << 20)), as_float(0x7b800000));
  }
  static NITINOL_INLINE u32 narrow(float v) { return round_to_float8<3, 7, 0x7e, 0x7e>(v); }
#if NITINOL_HARDWARE_FLOAT8
  static NITINOL_INLINE u32 halves(u32 v) { return e4m3_to_halves(v); }
  static NITINOL_INLINE u32 from_halves(u32 v) { return halves_to_e4m3(v); }
  static NITINOL_INLINE u32 from_floats(float l, float h) { return floats_to_e4m3(l, h); }
#endif
};
struct E5m2 {
  static const u32 LARGEST = 0x7c;
  static const bool INFINITE = true;
  static NITINOL_INLINE float widen(u32 v) { return half_to_float((v & 0xff) << 8); }
  static NITINOL_INLINE u32 narrow(float v) { return round_to_float8<2, 15, 0x7b, 0x7c>(v); }
#if NITINOL_HARDWARE_FLOAT8
  // A binary16 without its lower byte.
  static NITINOL_INLINE u32 halves(u32 v) { return __byte_perm(v, 0, 0x1404); }
  static NITINOL_INLINE u32 from_halves(u32 v) { return halves_to_e5m2(v); }
  static NITINOL_INLINE u32 from_floats(float l, float h) { return floats_to_e5m2(l, h); }
#endif
};

// Not inlined: only words with an infinity, and GPUs without conversions, come here.
template <class F, bool PRODUCT>
#ifndef NITINOL_EMULATE
__device__ __noinline__
#endif
u32 combine_float8(u32 a, u32 b) {
  u32 result = 0;
#pragma unroll 1
  for (int at = 0; at < 32; at += 8) {
    float x = F::widen(a >> at), y = F::widen(b >> at);
    result |= F::narrow(PRODUCT ? multiply(x, y) : add(x, y)) << at;
  }
  return result;
}

template <class F>
#ifndef NITINOL_EMULATE
__device__ __noinline__
#endif
u32 scale_float8(u32 a, float factor) {
  u32 result = 0;
#pragma unroll 1
  for (int at = 0; at < 32; at += 8) {
    result |= F::narrow(multiply(F::widen(a >> at), factor)) << at;
  }
  return result;
}

// 8-bit floats, four to a word. In hardware sums and products are computed in binary16, which gives
// for every pair of finite operands what binary32 gives.
template <int OP, class F>
struct Float8 {
  typedef u32 Word;
  static const u32 SIZE = 1;
  static const bool SCALES = OP == SCALED;

  static NITINOL_INLINE u32 turn(u32 v) { return v ^ (((v >> 7) & 0x01010101) * 0x7f); }
  static NITINOL_INLINE u32 key(u32 v) {
    u32 nan = __vcmpgtu4(v & 0x7f7f7f7f, F::LARGEST * 0x01010101);
    u32 key = turn(v) ^ (OP == MIN ? 0xffffffffu : 0);
    return (key & ~nan) | (nan & 0x80808080);
  }
  // Whether either word has an infinity or, beside infinities, a NaN, of which conversions in
  // hardware would make the largest number. Adding carries their magnitudes into the bit above.
  static NITINOL_INLINE bool special(u32 a, u32 b) {
    const u32 CARRY = 0x04040404;
    return F::INFINITE && ((((a & 0x7f7f7f7f) + CARRY) | ((b & 0x7f7f7f7f) + CARRY)) & 0x80808080);
  }
  static NITINOL_INLINE u32 combine(u32 a, u32 b) {
    if (OP == MAX || OP == MIN) {
      return turn(__vmaxs4(key(a), key(b)) ^ (OP == MIN ? 0xffffffffu : 0));
    }
#if NITINOL_HARDWARE_FLOAT8
    if (!special(a, b)) {
      u32 al = F::halves(a), ah = F::halves(a >> 16), bl = F::halves(b), bh = F::halves(b >> 16);
      u32 low = OP == PROD ? multiply_halves(al, bl) : add_halves(al, bl);
      u32 high = OP == PROD ? multiply_halves(ah, bh) : add_halves(ah, bh);
      return F::from_halves(low) | (F::from_halves(high) << 16);
    }
#endif
    return combine_float8<F, OP == PROD>(a, b);
  }
  static NITINOL_INLINE u32 pre(u32 a, u64 scalar) {
    float factor = as_float((u32)scalar);
#if NITINOL_HARDWARE_FLOAT8
    if (!special(a, 0) && ((u32)scalar & 0x7f800000) != 0x7f800000) {
      u32 l = F::halves(a), h = F::halves(a >> 16);
      u32 low = F::from_floats(
          multiply(half_to_float(l), factor), multiply(half_to_float(l >> 16), factor));
      u32 high = F::from_floats(
          multiply(half_to_float(h), factor), multiply(half_to_float(h >> 16), factor));
      return low | (high << 16);
    }
#endif
    return scale_float8<F>(a, factor);
  }
  static NITINOL_INLINE u32 reciprocal(u32 divisor) { return 0; }
  static NITINOL_INLINE u32 post(u32 a, u32 reciprocal) { return a; }
};

template <int OP> struct Kernel_i8 : Integer8<OP, true> {};
template <int OP> struct Kernel_u8 : Integer8<OP, false> {};
template <int OP> struct Kernel_i32 : Integer<OP, true, u32, int> {};
template <int OP> struct Kernel_u32 : Integer<OP, false, u32, int> {};
template <int OP> struct Kernel_i64 : Integer<OP, true, u64, long long> {};
template <int OP> struct Kernel_u64 : Integer<OP, false, u64, long long> {};
template <int OP> struct Kernel_f16 : Float16<OP, Half> {};
template <int OP> struct Kernel_f32 : Float32<OP> {};
template <int OP> struct Kernel_f64 : Float64<OP> {};
template <int OP> struct Kernel_bf16 : Float16<OP, Bfloat16> {};
template <int OP> struct Kernel_f8e4m3 : Float8<OP, E4m3> {};
template <int OP> struct Kernel_f8e5m2 : Float8<OP, E5m2> {};

// Defines the five entries nitinol_FAMILY_TYPE_OP, which call BODY<the kernel of that type and OP>.
#define NITINOL_JOIN_(A, B, C, D) A##B##_##C##D
#define NITINOL_JOIN(A, B, C, D) NITINOL_JOIN_(A, B, C, D)
#define NITINOL_KERNEL_(TYPE) Kernel_##TYPE
#define NITINOL_KERNEL(TYPE) NITINOL_KERNEL_(TYPE)
#define NITINOL_ENTRIES(FAMILY, TYPE, PARAMS, THREADS, BODY)                                     \
  NITINOL_ENTRY(NITINOL_JOIN(nitinol_, FAMILY, TYPE, _sum), PARAMS, THREADS) {                   \
    BODY<NITINOL_KERNEL(TYPE)<SUM> >(a);                                                         \
  }                                                                                              \
  NITINOL_ENTRY(NITINOL_JOIN(nitinol_, FAMILY, TYPE, _prod), PARAMS, THREADS) {                  \
    BODY<NITINOL_KERNEL(TYPE)<PROD> >(a);                                                        \
  }                                                                                              \
  NITINOL_ENTRY(NITINOL_JOIN(nitinol_, FAMILY, TYPE, _max), PARAMS, THREADS) {                   \
    BODY<NITINOL_KERNEL(TYPE)<MAX> >(a);                                                         \
  }                                                                                              \
  NITINOL_ENTRY(NITINOL_JOIN(nitinol_, FAMILY, TYPE, _min), PARAMS, THREADS) {                   \
    BODY<NITINOL_KERNEL(TYPE)<MIN> >(a);                                                         \
  }                                                                                              \
  NITINOL_ENTRY(NITINOL_JOIN(nitinol_, FAMILY, TYPE, _scaled), PARAMS, THREADS) {                \
    BODY<NITINOL_KERNEL(TYPE)<SCALED> >(a);                                                      \
  }

#endif
