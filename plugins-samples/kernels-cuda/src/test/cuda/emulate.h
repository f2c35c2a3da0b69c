// SPDX-License-Identifier: Apache-2.0
//
// Runs the kernels on a processor: every thread of every block of every member is a coroutine, and
// the ranks advance in a random order. It finds wrong indices, deadlocks and wrong arithmetic; it
// does not find a missing fence, since it has one memory order, nor what hardware conversions do.
#ifndef NITINOL_EMULATE_H
#define NITINOL_EMULATE_H

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#ifdef NITINOL_EMULATED_FLOAT8
#include "reference.h"
#endif

struct dim3 {
  u32 x, y;
};
struct alignas(16) uint4 {
  u32 x, y, z, w;
};
struct alignas(8) uint2 {
  u32 x, y;
};

extern dim3 threadIdx, blockIdx, blockDim, gridDim;

typedef std::function<void(const void*)> EmulatedKernel;
std::map<std::string, EmulatedKernel>& emulated_kernels();
void emulated_yield();
int emulated_barrier(int value);
u64* emulated_shared();

#define NITINOL_INLINE inline
#ifdef NITINOL_EMULATED_FLOAT8
#define NITINOL_HARDWARE_FLOAT8 1
#else
#define NITINOL_HARDWARE_FLOAT8 0
#endif
#define NITINOL_SPINS_PER_LOOK 64
#define NITINOL_SPINS_PER_GLANCE 16
#define NITINOL_SHARED(NAME, COUNT) u64* NAME = emulated_shared()

#define NITINOL_ENTRY(NAME, PARAMS, THREADS) NITINOL_EMULATED_ENTRY(NAME, PARAMS)
#define NITINOL_EMULATED_ENTRY(NAME, PARAMS)        \
  static void NAME(const PARAMS& a);                      \
  static const bool NAME##_known =                        \
      (emulated_kernels()[EMULATED_TEXT(NAME)] =          \
           [](const void* p) { NAME(*(const PARAMS*)p); }, \
       true);                                             \
  static void NAME(const PARAMS& a)
#define EMULATED_TEXT(NAME) EMULATED_TEXT_(NAME)
#define EMULATED_TEXT_(NAME) #NAME

inline void __syncthreads() { emulated_barrier(0); }
inline int __syncthreads_or(int value) { return emulated_barrier(value); }
inline void pause() { emulated_yield(); }

inline void emulated_check(const void* p, u64 size) {
  if ((u64)p % size != 0) abort();
}
inline uint4 load_vector(const void* p) {
  emulated_check(p, 16);
  return *(const uint4*)p;
}
inline uint4 load_vector_cached(const void* p) { return load_vector(p); }
inline uint2 load_pair(const void* p) {
  emulated_check(p, 8);
  return *(const uint2*)p;
}
inline void store_vector(void* p, uint4 v) {
  emulated_check(p, 16);
  *(uint4*)p = v;
}
inline u64 load_acquire(const u64* p) { return *(const volatile u64*)p; }
inline void store_release(u64* p, u64 v) { *(volatile u64*)p = v; }
inline u64 load_volatile(const u64* p) { return *(const volatile u64*)p; }
inline u32 load_volatile(const u32* p) { return *(const volatile u32*)p; }
inline void store_volatile(u64* p, u64 v) { *(volatile u64*)p = v; }
inline void store_volatile(u32* p, u32 v) { *(volatile u32*)p = v; }
inline void store_line(void* p, u32 low, u32 high, u32 flag) {
  uint4 v = {low, flag, high, flag};
  store_vector(p, v);
}
inline uint4 load_line(const void* p) { return load_vector(p); }

// Threads are on their own: each looks at the flag of its line, and waits for itself. The thread with
// the flag is behind those with the data: threads advance in their order, and none waits before it
// has stored its lines.
inline bool ends_line() { return (threadIdx.x & 7) == 7; }
inline void store_long_line(void* p, uint4 v, u64 flag) {
  if (ends_line()) v.z = (u32)flag, v.w = (u32)(flag >> 32);
  store_vector(p, v);
}
inline bool load_long_line(const void* p, uint4& v, u64 flag) {
  bool here = *(const u64*)(((u64)p & ~(u64)127) + 120) == flag;
  v = load_vector(p);
  return here;
}
inline bool warp_any(bool it) { return it; }
inline void warp_join() {}
inline bool warp_waits() { return true; }
inline void await_launches_before() {}

inline float as_float(u32 v) {
  float f;
  memcpy(&f, &v, 4);
  return f;
}
inline u32 as_bits(float f) {
  u32 v;
  memcpy(&v, &f, 4);
  return v;
}
inline double as_double(u64 v) {
  double f;
  memcpy(&f, &v, 8);
  return f;
}
inline u64 as_bits(double f) {
  u64 v;
  memcpy(&v, &f, 8);
  return v;
}
inline float add(float a, float b) {
  float v = a + b;
  return v == v ? v : as_float(0x7fffffff);
}
inline float multiply(float a, float b) {
  float v = a * b;
  return v == v ? v : as_float(0x7fffffff);
}
inline double add(double a, double b) { return a + b; }
inline double multiply(double a, double b) { return a * b; }

inline float half_to_float(u32 v) {
  _Float16 h;
  uint16_t bits = (uint16_t)v;
  memcpy(&h, &bits, 2);
  return (float)h;
}
inline u32 float_to_half(float f) {
  if (f != f) return 0x7fff;
  _Float16 h = (_Float16)f;
  uint16_t bits;
  memcpy(&bits, &h, 2);
  return bits;
}
inline u32 float_to_bfloat16(float f) {
  if (f != f) return 0x7fff;
  u32 bits = as_bits(f);
  return (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
}
inline u32 pack_half(float low, float high) { return float_to_half(low) | float_to_half(high) << 16; }
inline u32 pack_bfloat16(float low, float high) {
  return float_to_bfloat16(low) | float_to_bfloat16(high) << 16;
}

#ifdef NITINOL_EMULATED_FLOAT8
// The conversions of sm_89 as PTX describes them: an infinity becomes the largest number too.
inline u32 emulated_float8(const reference::Type& t, float v) {
  if (v == INFINITY || v == -INFINITY) return t.greatest | (v < 0 ? 0x80 : 0);
  return (u32)reference::encode(t, v);
}
inline u32 e4m3_to_halves(u32 v) {
  const reference::Type& t = reference::TYPES[10];
  return pack_half(reference::decode(t, v & 0xff), reference::decode(t, v >> 8 & 0xff));
}
inline u32 floats_to_e4m3(float low, float high) {
  const reference::Type& t = reference::TYPES[10];
  return emulated_float8(t, low) | emulated_float8(t, high) << 8;
}
inline u32 floats_to_e5m2(float low, float high) {
  const reference::Type& t = reference::TYPES[11];
  return emulated_float8(t, low) | emulated_float8(t, high) << 8;
}
inline u32 halves_to_e4m3(u32 v) { return floats_to_e4m3(half_to_float(v), half_to_float(v >> 16)); }
inline u32 halves_to_e5m2(u32 v) { return floats_to_e5m2(half_to_float(v), half_to_float(v >> 16)); }
inline u32 add_halves(u32 a, u32 b) {
  return pack_half(half_to_float(a) + half_to_float(b), half_to_float(a >> 16) + half_to_float(b >> 16));
}
inline u32 multiply_halves(u32 a, u32 b) {
  return pack_half(half_to_float(a) * half_to_float(b), half_to_float(a >> 16) * half_to_float(b >> 16));
}
#endif

inline u32 __funnelshift_r(u32 low, u32 high, u32 shift) {
  return (u32)((((u64)high << 32) | low) >> (shift & 31));
}
inline u32 __byte_perm(u32 low, u32 high, u32 selector) {
  u64 both = (u64)high << 32 | low;
  u32 v = 0;
  for (int i = 0; i < 4; i++) v |= (u32)(both >> (selector >> (4 * i) & 7) * 8 & 0xff) << (8 * i);
  return v;
}
template <class F>
inline u32 emulated_lanes(u32 a, u32 b, F f) {
  u32 v = 0;
  for (int at = 0; at < 32; at += 8) v |= (u32)(f(a >> at & 0xff, b >> at & 0xff) & 0xff) << at;
  return v;
}
inline u32 __vmaxu4(u32 a, u32 b) {
  return emulated_lanes(a, b, [](int x, int y) { return x > y ? x : y; });
}
inline u32 __vminu4(u32 a, u32 b) {
  return emulated_lanes(a, b, [](int x, int y) { return x < y ? x : y; });
}
inline u32 __vmaxs4(u32 a, u32 b) {
  return emulated_lanes(a, b, [](int x, int y) { return (int8_t)x > (int8_t)y ? x : y; });
}
inline u32 __vmins4(u32 a, u32 b) {
  return emulated_lanes(a, b, [](int x, int y) { return (int8_t)x < (int8_t)y ? x : y; });
}
inline u32 __vcmpgtu4(u32 a, u32 b) {
  return emulated_lanes(a, b, [](int x, int y) { return x > y ? 0xff : 0; });
}

#endif
