// SPDX-License-Identifier: Apache-2.0
//
// The fold of several buffers into several: the one loop over elements that all kernels but those
// with flags in the data share.
#ifndef NITINOL_FOLD_CUH
#define NITINOL_FOLD_CUH

#include "types.cuh"

// The threads that share a fold: this one is `index` of `count`.
struct Threads {
  u64 index, count;
};

NITINOL_INLINE Threads grid_threads() {
  Threads t = {(u64)blockIdx.x * blockDim.x + threadIdx.x, (u64)gridDim.x * blockDim.x};
  return t;
}
NITINOL_INLINE Threads block_threads() {
  Threads t = {threadIdx.x, blockDim.x};
  return t;
}

// What a contribution is multiplied by, and what the result is divided by.
struct Scaling {
  const u64* scalar;  // of source i: scalar[i * stride]
  u32 stride;
  u32 mask;  // bit i: source i is multiplied
  u32 divisor;
};

// Addresses in a parameter struct.
struct Buffers {
  const u64* address;
  NITINOL_INLINE char* operator[](u32 i) const { return (char*)address[i]; }
};

// One or two addresses.
struct Two {
  u64 first, second;
  NITINOL_INLINE char* operator[](u32 i) const { return (char*)(i == 0 ? first : second); }
};

template <class K>
union Vector {
  uint4 bits;
  typename K::Word word[16 / sizeof(typename K::Word)];
};

template <class K>
NITINOL_INLINE Vector<K> combine(Vector<K> a, Vector<K> b) {
#pragma unroll
  for (u32 i = 0; i < 16 / sizeof(typename K::Word); i++) {
    a.word[i] = K::combine(a.word[i], b.word[i]);
  }
  return a;
}

// One element, in the low bits of a word.
template <class K>
NITINOL_INLINE typename K::Word load_element(const char* p) {
  if (K::SIZE == 1) return *(const volatile unsigned char*)p;
  if (K::SIZE == 2) return *(const volatile unsigned short*)p;
  return *(const volatile typename K::Word*)p;
}
template <class K>
NITINOL_INLINE void store_element(char* p, typename K::Word v) {
  if (K::SIZE == 1) {
    *(unsigned char*)p = (unsigned char)v;
  } else if (K::SIZE == 2) {
    *(unsigned short*)p = (unsigned short)v;
  } else {
    *(typename K::Word*)p = v;
  }
}

// 16 bytes from any address: two aligned vectors, shifted. Bytes of both are within the buffer.
// There are no branches in it, so that the loads of several calls can be under way at once.
NITINOL_INLINE uint4 load_shifted(const char* p) {
  u32 shift = (u32)(u64)p & 15;
  const char* line = p - shift;
  uint4 a = load_vector_cached(line), b = load_vector_cached(line + (shift == 0 ? 0 : 16));
  bool eight = (shift & 8) != 0, four = (shift & 4) != 0;
  u32 w0 = eight ? a.z : a.x, w1 = eight ? a.w : a.y, w2 = eight ? b.x : a.z;
  u32 w3 = eight ? b.y : a.w, w4 = eight ? b.z : b.x, w5 = eight ? b.w : b.y;
  u32 v0 = four ? w1 : w0, v1 = four ? w2 : w1, v2 = four ? w3 : w2;
  u32 v3 = four ? w4 : w3, v4 = four ? w5 : w4, bits = (shift & 3) * 8;
  uint4 v;
  v.x = __funnelshift_r(v0, v1, bits);
  v.y = __funnelshift_r(v1, v2, bits);
  v.z = __funnelshift_r(v2, v3, bits);
  v.w = __funnelshift_r(v3, v4, bits);
  return v;
}

template <class K>
NITINOL_INLINE typename K::Word scaled(typename K::Word v, const Scaling& s, u32 source) {
  return (s.mask >> source) & 1 ? K::pre(v, s.scalar[source * s.stride]) : v;
}

template <class K>
NITINOL_INLINE typename K::Word divided(typename K::Word v, const Scaling& s) {
  return s.divisor > 1 ? K::post(v, K::reciprocal(s.divisor)) : v;
}

template <class K, class B>
NITINOL_INLINE void fold_element(
    const B& from, u32 sources, const B& to, u32 destinations, const Scaling& s, u64 i) {
  typename K::Word sum = load_element<K>(from[0] + i * K::SIZE);
  if (K::SCALES) sum = scaled<K>(sum, s, 0);
  for (u32 p = 1; p < sources; p++) {
    typename K::Word v = load_element<K>(from[p] + i * K::SIZE);
    if (K::SCALES) v = scaled<K>(v, s, p);
    sum = K::combine(sum, v);
  }
  if (K::SCALES) sum = divided<K>(sum, s);
  for (u32 d = 0; d < destinations; d++) store_element<K>(to[d] + i * K::SIZE, sum);
}

// The body: `vectors` of 16 bytes from byte `at` on, which is aligned in every destination, and if
// ALIGNED in every source. A thread has up to P * U loads under way.
template <class K, int P, int U, bool ALIGNED, class B>
NITINOL_INLINE void fold_vectors(
    const B& from,
    u32 sources,
    const B& to,
    u32 destinations,
    const Scaling& s,
    u64 at,
    u64 vectors,
    const Threads& t) {
  const u32 WORDS = 16 / sizeof(typename K::Word);
  const u32 reciprocal = K::SCALES && s.divisor > 1 ? K::reciprocal(s.divisor) : 0;
  for (u64 first = t.index; first < vectors; first += t.count * U) {
    Vector<K> sum[U];
    for (u32 g = 0; g < sources; g += P) {
      Vector<K> v[P][U];
#pragma unroll
      for (int p = 0; p < P; p++) {
        if (g + p < sources) {
          const char* source = from[g + p] + at;
#pragma unroll
          for (int u = 0; u < U; u++) {
            u64 i = first + u * t.count;
            if (i < vectors) {
              v[p][u].bits = ALIGNED ? load_vector(source + i * 16) : load_shifted(source + i * 16);
            }
          }
        }
      }
#pragma unroll
      for (int p = 0; p < P; p++) {
        if (g + p < sources) {
          if (K::SCALES && ((s.mask >> (g + p)) & 1)) {
            u64 scalar = s.scalar[(g + p) * s.stride];
#pragma unroll
            for (int u = 0; u < U; u++) {
#pragma unroll
              for (u32 w = 0; w < WORDS; w++) v[p][u].word[w] = K::pre(v[p][u].word[w], scalar);
            }
          }
#pragma unroll
          for (int u = 0; u < U; u++) {
            if (p == 0 && g == 0) {
              sum[u] = v[p][u];
            } else {
              sum[u] = combine<K>(sum[u], v[p][u]);
            }
          }
        }
      }
    }
    if (K::SCALES && s.divisor > 1) {
#pragma unroll
      for (int u = 0; u < U; u++) {
#pragma unroll
        for (u32 w = 0; w < WORDS; w++) sum[u].word[w] = K::post(sum[u].word[w], reciprocal);
      }
    }
    for (u32 d = 0; d < destinations; d++) {
      char* destination = to[d] + at;
#pragma unroll
      for (int u = 0; u < U; u++) {
        u64 i = first + u * t.count;
        if (i < vectors) store_vector(destination + i * 16, sum[u].bits);
      }
    }
  }
}

// Folds `count` elements from element `begin` on, in their order, into destinations that are all
// aligned alike; sources may lie as they like.
template <class K, int P, int U, class B>
NITINOL_INLINE void fold_alike(
    const B& from,
    u32 sources,
    const B& to,
    u32 destinations,
    const Scaling& s,
    u64 begin,
    u64 count,
    const Threads& t) {
  const u64 PER_VECTOR = 16 / K::SIZE;
  u64 offset = begin * K::SIZE;
  u32 place = (u32)((u64)to[0] + offset) & 15;
  bool aligned = true;
  for (u32 p = 0; p < sources; p++) aligned &= ((u32)((u64)from[p] + offset) & 15) == place;
  // Elements before and after the vectors. Shifted vectors need 16 bytes more on either side.
  u64 margin = aligned ? 0 : PER_VECTOR;
  u64 head = ((16 - place) & 15) / K::SIZE + margin;
  u64 vectors = 0;
  if (count >= head + margin + PER_VECTOR) {
    vectors = (count - head - margin) / PER_VECTOR;
    u64 at = offset + head * K::SIZE;
    if (aligned) {
      fold_vectors<K, P, U, true>(from, sources, to, destinations, s, at, vectors, t);
    } else {
      fold_vectors<K, P, (U + 1) / 2, false>(from, sources, to, destinations, s, at, vectors, t);
    }
  } else {
    head = count;
  }
  u64 rest = count - vectors * PER_VECTOR;
  for (u64 i = t.index; i < rest; i += t.count) {
    u64 element = begin + (i < head ? i : i + vectors * PER_VECTOR);
    fold_element<K>(from, sources, to, destinations, s, element);
  }
}

// Folds `count` elements of the sources, in their order, into every destination. All threads of a
// block call it. Where destinations are not aligned alike, each block has a part of its own, writes
// it to the first of them, and copies it from there to the others.
template <class K, int P, int U, class B>
NITINOL_INLINE void fold(
    const B& from,
    u32 sources,
    const B& to,
    u32 destinations,
    const Scaling& s,
    u64 count,
    const Threads& t) {
  bool alike = true;
  for (u32 d = 1; d < destinations; d++) alike &= (((u64)to[d] ^ (u64)to[0]) & 15) == 0;
  u64 begin = 0, length = count;
  if (!alike) {
    u64 blocks = t.count / blockDim.x, block = t.index / blockDim.x;
    u64 each = (count + blocks - 1) / blocks;
    begin = block * each < count ? block * each : count;
    length = count - begin < each ? count - begin : each;
  }
  Threads who = alike ? t : block_threads();
  fold_alike<K, P, U>(from, sources, to, alike ? destinations : 1, s, begin, length, who);
  if (!alike) {
    Scaling none = {0, 0, 0, 1};
    __syncthreads();
    for (u32 d = 1; d < destinations; d++) {
      Two first = {(u64)to[0], 0}, other = {(u64)to[d], 0};
      fold_alike<Bytes, 1, 2>(
          first, 1, other, 1, none, begin * K::SIZE, length * K::SIZE, block_threads());
    }
  }
}

#endif
