// SPDX-License-Identifier: Apache-2.0
//
// What docs/numerics.md says, one element at a time, in plain C++ that shares no code with the
// kernels. Elements are bits in the low end of a 64-bit number.
#ifndef NITINOL_REFERENCE_H
#define NITINOL_REFERENCE_H

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace reference {

struct Type {
  const char* name;
  int size;
  bool is_signed, is_float;
  // Of floats narrower than binary32; 0 mantissa bits: no such float.
  int mantissa, least_exponent;
  uint32_t greatest, overflow;
};

const Type TYPES[] = {
    {"i8", 1, true, false, 0, 0, 0, 0},      {"u8", 1, false, false, 0, 0, 0, 0},
    {"i32", 4, true, false, 0, 0, 0, 0},     {"u32", 4, false, false, 0, 0, 0, 0},
    {"i64", 8, true, false, 0, 0, 0, 0},     {"u64", 8, false, false, 0, 0, 0, 0},
    {"f16", 2, true, true, 10, -14, 0x7bff, 0x7c00}, {"f32", 4, true, true, 0, 0, 0, 0},
    {"f64", 8, true, true, 0, 0, 0, 0},      {"bf16", 2, true, true, 7, -126, 0x7f7f, 0x7f80},
    {"f8e4m3", 1, true, true, 3, -6, 0x7e, 0x7e}, {"f8e5m2", 1, true, true, 2, -14, 0x7b, 0x7b},
};

enum Op { SUM, PROD, MAX, MIN, AVG, PREMULSUM, OPS };
const char* const OP_NAMES[] = {"sum", "prod", "max", "min", "avg", "premulsum"};

inline uint64_t mask(const Type& t) { return t.size == 8 ? ~0ull : (1ull << (8 * t.size)) - 1; }
inline uint64_t sign_bit(const Type& t) { return 1ull << (8 * t.size - 1); }

inline float float_of(uint32_t bits) {
  float f;
  memcpy(&f, &bits, 4);
  return f;
}
inline double double_of(uint64_t bits) {
  double f;
  memcpy(&f, &bits, 8);
  return f;
}

// A float of at most 32 bits as a binary32; every one is such a number.
inline float decode(const Type& t, uint64_t bits) {
  if (t.size == 4) return float_of((uint32_t)bits);
  uint32_t magnitude = (uint32_t)(bits & (sign_bit(t) - 1));
  float number;
  if (magnitude > t.greatest) {
    bool infinite = strcmp(t.name, "f8e4m3") != 0 && magnitude == t.greatest + 1;
    number = infinite ? INFINITY : NAN;
  } else {
    int exponent = magnitude >> t.mantissa;
    int significand = magnitude & ((1 << t.mantissa) - 1);
    if (exponent > 0) significand |= 1 << t.mantissa;
    number = (float)std::ldexp(
        (double)significand, t.least_exponent + (exponent > 1 ? exponent : 1) - 1 - t.mantissa);
  }
  return bits & sign_bit(t) ? -number : number;
}

inline uint64_t encode(const Type& t, float v) {
  if (v != v) return sign_bit(t) - 1;
  if (t.size == 4) {
    uint32_t bits;
    memcpy(&bits, &v, 4);
    return bits;
  }
  uint64_t sign = std::signbit(v) ? sign_bit(t) : 0;
  if (std::isinf(v)) return sign | (strcmp(t.name, "f8e4m3") == 0 ? t.overflow : t.greatest + 1);
  if (v == 0) return sign;
  int exponent = std::ilogb(v);
  if (exponent < t.least_exponent) exponent = t.least_exponent;
  double quanta = std::rint(std::ldexp(std::fabs((double)v), t.mantissa - exponent));
  int64_t magnitude = ((int64_t)(exponent - t.least_exponent) << t.mantissa) + (int64_t)quanta;
  return sign | (uint64_t)(magnitude > t.greatest ? t.overflow : magnitude);
}

inline bool is_nan(const Type& t, uint64_t bits) {
  return t.size == 8 ? double_of(bits) != double_of(bits) : decode(t, bits) != decode(t, bits);
}

inline int64_t extended(const Type& t, uint64_t bits) {
  int up = 64 - 8 * t.size;
  return (int64_t)(bits << up) >> up;
}

inline uint64_t product(const Type& t, uint64_t a, uint64_t b) {
  if (!t.is_float) return (a * b) & mask(t);
  if (t.size < 8) {
    volatile float v = decode(t, a) * decode(t, b);
    return encode(t, v);
  }
  volatile double v = double_of(a) * double_of(b);
  double w = v;
  if (w != w) return sign_bit(t) - 1;
  uint64_t bits;
  memcpy(&bits, &w, 8);
  return bits;
}

inline uint64_t sum(const Type& t, uint64_t a, uint64_t b) {
  if (!t.is_float) return (a + b) & mask(t);
  if (t.size < 8) {
    volatile float v = decode(t, a) + decode(t, b);
    return encode(t, v);
  }
  volatile double v = double_of(a) + double_of(b);
  double w = v;
  if (w != w) return sign_bit(t) - 1;
  uint64_t bits;
  memcpy(&bits, &w, 8);
  return bits;
}

inline bool below(const Type& t, uint64_t a, uint64_t b) {
  if (t.is_float) {
    // By sign and magnitude, so that -0 is below +0.
    bool an = a & sign_bit(t), bn = b & sign_bit(t);
    if (an != bn) return an;
    return an ? a > b : a < b;
  }
  return t.is_signed ? extended(t, a) < extended(t, b) : a < b;
}

inline uint64_t combine(const Type& t, Op op, uint64_t a, uint64_t b) {
  if (op == PROD) return product(t, a, b);
  if (op != MAX && op != MIN) return sum(t, a, b);
  if (t.is_float) {
    bool an = is_nan(t, a), bn = is_nan(t, b);
    if (an && bn) return op == MAX ? mask(t) : sign_bit(t) - 1;
    if (an) return b;
    if (bn) return a;
  }
  return below(t, a, b) == (op == MAX) ? b : a;
}

// A contribution times a number as the kernels take it: of the type for integers, binary64 for
// float64, binary32 for the others.
inline uint64_t scale(const Type& t, uint64_t v, uint64_t scalar) {
  if (!t.is_float || t.size == 8) return product(t, v, scalar & mask(t));
  volatile float w = decode(t, v) * float_of((uint32_t)scalar);
  return encode(t, w);
}

inline uint64_t divide(const Type& t, uint64_t v, uint32_t divisor) {
  if (divisor <= 1 || t.is_float) return v;
  return (t.is_signed ? (uint64_t)(extended(t, v) / (int64_t)divisor) : v / divisor) & mask(t);
}

}  // namespace reference

#endif
