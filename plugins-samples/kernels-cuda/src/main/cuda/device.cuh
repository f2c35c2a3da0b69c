// SPDX-License-Identifier: Apache-2.0
//
// The instructions that kernels use beyond plain C++: loads and stores with an order or a cache
// hint, and conversions. NITINOL_EMULATE replaces them by plain C++, so that
// src/test/cuda/emulate.h can run the kernels on a processor.
#ifndef NITINOL_DEVICE_CUH
#define NITINOL_DEVICE_CUH

#include "params.h"

typedef nitinol_u32 u32;
typedef nitinol_u64 u64;

#ifdef NITINOL_EMULATE
#include "emulate.h"
#else

#define NITINOL_INLINE __device__ __forceinline__

// What a peer writes is read past the first-level cache; so is what is read only once.
NITINOL_INLINE uint4 load_vector(const void* p) {
  uint4 v;
  asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3},[%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(p)
               : "memory");
  return v;
}

// Through the first-level cache: for lines that two threads read. An acquire before it drops what
// that cache held, so it is as fresh as load_vector.
NITINOL_INLINE uint4 load_vector_cached(const void* p) {
  uint4 v;
  asm volatile("ld.global.v4.u32 {%0,%1,%2,%3},[%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(p)
               : "memory");
  return v;
}

NITINOL_INLINE uint2 load_pair(const void* p) {
  uint2 v;
  asm volatile("ld.global.v2.u32 {%0,%1},[%2];" : "=r"(v.x), "=r"(v.y) : "l"(p) : "memory");
  return v;
}

NITINOL_INLINE void store_vector(void* p, uint4 v) { *(uint4*)p = v; }

NITINOL_INLINE u64 load_acquire(const u64* p) {
  u64 v;
  asm volatile("ld.acquire.sys.global.u64 %0,[%1];" : "=l"(v) : "l"(p) : "memory");
  return v;
}

// Orders all that this thread wrote or saw written, by any thread of its block before a
// __syncthreads too, before the value.
NITINOL_INLINE void store_release(u64* p, u64 v) {
  asm volatile("st.release.sys.global.u64 [%0],%1;" ::"l"(p), "l"(v) : "memory");
}

NITINOL_INLINE u64 load_volatile(const u64* p) { return *(const volatile u64*)p; }
NITINOL_INLINE u32 load_volatile(const u32* p) { return *(const volatile u32*)p; }
NITINOL_INLINE void store_volatile(u64* p, u64 v) { *(volatile u64*)p = v; }
NITINOL_INLINE void store_volatile(u32* p, u32 v) { *(volatile u32*)p = v; }

// A line of data and flags. Each half, a datum and its flag, is one 8-byte access at least.
NITINOL_INLINE void store_line(void* p, u32 low, u32 high, u32 flag) {
  asm volatile("st.volatile.global.v4.u32 [%0],{%1,%2,%3,%4};" ::"l"(p), "r"(low), "r"(flag),
               "r"(high), "r"(flag)
               : "memory");
}
NITINOL_INLINE uint4 load_line(const void* p) {
  uint4 v;
  asm volatile("ld.volatile.global.v4.u32 {%0,%1,%2,%3},[%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(p)
               : "memory");
  return v;
}

// 16 bytes of a line of 128 bytes, whose last 8 are its flag: the last thread of eight has 8 bytes
// of data and the flag. All threads of a warp call both. A line is one access of eight threads, which
// NVLink and the memory of a device carry whole, so a line with its flag has its data.
NITINOL_INLINE bool ends_line() { return (threadIdx.x & 7) == 7; }
NITINOL_INLINE void store_long_line(void* p, uint4 v, u64 flag) {
  if (ends_line()) v.z = (u32)flag, v.w = (u32)(flag >> 32);
  __syncwarp();
  asm volatile("st.volatile.global.v4.u32 [%0],{%1,%2,%3,%4};" ::"l"(p), "r"(v.x), "r"(v.y),
               "r"(v.z), "r"(v.w)
               : "memory");
}
// Whether the line of this thread has its flag.
NITINOL_INLINE bool load_long_line(const void* p, uint4& v, u64 flag) {
  asm volatile("ld.volatile.global.v4.u32 {%0,%1,%2,%3},[%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(p)
               : "memory");
  return !ends_line() || (v.z == (u32)flag && v.w == (u32)(flag >> 32));
}

// Whether it is so for any thread of the warp, all of whose threads call it.
NITINOL_INLINE bool warp_any(bool it) { return __any_sync(0xffffffffu, it); }

// Called by all threads of the warp: what one of them has seen written, all see afterwards. A vote
// says nothing about memory.
NITINOL_INLINE void warp_join() { __syncwarp(); }

// Whether this thread waits for its warp.
NITINOL_INLINE bool warp_waits() { return (threadIdx.x & 31) == 0; }

// Where kernels of a stream may overlap: waits until all that was launched before is done and seen,
// and lets the next launch come on the device and do the same.
NITINOL_INLINE void await_launches_before() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

// Called in a loop that waits.
NITINOL_INLINE void pause() {}

// Polls between two looks at the abort word, which is in the host's memory. The looks of a thousand
// warps go there one after another, and take about as long as 1024 polls. So if there were a look
// every 1024 polls, a rank that looks would keep its peer waiting until that looks, too, and so on
// for every queued operation after a rank has lagged.
#define NITINOL_SPINS_PER_LOOK 65536
// Polls between two looks at what another warp of this device has seen there.
#define NITINOL_SPINS_PER_GLANCE 1024

NITINOL_INLINE float as_float(u32 v) { return __uint_as_float(v); }
NITINOL_INLINE u32 as_bits(float v) { return __float_as_uint(v); }
NITINOL_INLINE double as_double(u64 v) { return __longlong_as_double((long long)v); }
NITINOL_INLINE u64 as_bits(double v) { return (u64)__double_as_longlong(v); }

// Not contracted to fused operations, and no subnormal is flushed. The NaN of binary32 operations
// is 7fffffff on every GPU.
NITINOL_INLINE float add(float a, float b) { return __fadd_rn(a, b); }
NITINOL_INLINE float multiply(float a, float b) { return __fmul_rn(a, b); }
NITINOL_INLINE double add(double a, double b) { return __dadd_rn(a, b); }
NITINOL_INLINE double multiply(double a, double b) { return __dmul_rn(a, b); }

// The low 16 bits are a binary16.
NITINOL_INLINE float half_to_float(u32 v) {
  float f;
  asm("{.reg .b16 h; cvt.u16.u32 h,%1; cvt.f32.f16 %0,h;}" : "=f"(f) : "r"(v));
  return f;
}
NITINOL_INLINE u32 pack_half(float low, float high) {
  u32 v;
  asm("cvt.rn.f16x2.f32 %0,%1,%2;" : "=r"(v) : "f"(high), "f"(low));
  return v;
}
NITINOL_INLINE u32 pack_bfloat16(float low, float high) {
  u32 v;
  asm("cvt.rn.bf16x2.f32 %0,%1,%2;" : "=r"(v) : "f"(high), "f"(low));
  return v;
}

// Conversions of 8-bit floats in hardware: two at a time, from the low 16 bits.
#if __CUDA_ARCH__ >= 890
#define NITINOL_HARDWARE_FLOAT8 1
#define NITINOL_FLOAT8(NAME, FORMAT)                                                       \
  NITINOL_INLINE u32 halves_to_##NAME(u32 v) {                                             \
    u32 e;                                                                                 \
    asm("{.reg .b16 e; cvt.rn.satfinite." FORMAT ".f16x2 e,%1; cvt.u32.u16 %0,e;}"         \
        : "=r"(e)                                                                          \
        : "r"(v));                                                                         \
    return e;                                                                              \
  }                                                                                        \
  NITINOL_INLINE u32 floats_to_##NAME(float low, float high) {                             \
    u32 e;                                                                                 \
    asm("{.reg .b16 e; cvt.rn.satfinite." FORMAT ".f32 e,%1,%2; cvt.u32.u16 %0,e;}"        \
        : "=r"(e)                                                                          \
        : "f"(high), "f"(low));                                                            \
    return e;                                                                              \
  }
NITINOL_FLOAT8(e4m3, "e4m3x2")
NITINOL_FLOAT8(e5m2, "e5m2x2")
NITINOL_INLINE u32 e4m3_to_halves(u32 v) {
  u32 h;
  asm("{.reg .b16 e; cvt.u16.u32 e,%1; cvt.rn.f16x2.e4m3x2 %0,e;}" : "=r"(h) : "r"(v));
  return h;
}
NITINOL_INLINE u32 add_halves(u32 a, u32 b) {
  u32 v;
  asm("add.rn.f16x2 %0,%1,%2;" : "=r"(v) : "r"(a), "r"(b));
  return v;
}
NITINOL_INLINE u32 multiply_halves(u32 a, u32 b) {
  u32 v;
  asm("mul.rn.f16x2 %0,%1,%2;" : "=r"(v) : "r"(a), "r"(b));
  return v;
}
#else
#define NITINOL_HARDWARE_FLOAT8 0
#endif

// Words that the threads of a block share, at most 2 * NITINOL_MEMBERS in a kernel.
#define NITINOL_SHARED(NAME, COUNT) __shared__ u64 NAME[COUNT]

// Blocks of a kernel that have room on a multiprocessor.
#ifndef NITINOL_RESIDENT
#define NITINOL_RESIDENT 1
#endif

#define NITINOL_ENTRY(NAME, PARAMS, THREADS) \
  extern "C" __global__ void __launch_bounds__(THREADS, NITINOL_RESIDENT) NAME(const __grid_constant__ PARAMS a)

#endif
#endif
