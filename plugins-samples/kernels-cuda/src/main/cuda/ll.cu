// SPDX-License-Identifier: Apache-2.0
//
// Collectives of few bytes, with flags in the data: a member stores lines of 8 bytes and two flags
// into a slot at every peer, and polls its own slots. There is no barrier: the data says that it is
// there. Compiled once for each NITINOL_TYPE, and once without for the moves.
//
// Slots are doubled by the parity of the launch. A member gets a line from every other one in every
// launch, if only an empty one, so it does not end launch k before all have entered it, and have
// thus read what launch k - 1 left in the slots that launch k + 1 writes.
#include "fold.cuh"
#include "team.cuh"

// The flag of a launch is never 0, as the slots are before their first use.
NITINOL_INLINE u32 ll_flag(u64 launch) { return (u32)launch | 0x80000000u; }

NITINOL_INLINE char* ll_slot(
    const nitinol_team& t, const u64* lines, u64 slot_bytes, u64 launch, u32 at, u32 from) {
  return (char*)(lines[at] + ((launch & 1) * t.size + from) * slot_bytes);
}

NITINOL_INLINE bool ll_here(const uint4& line, u32 flag) {
  return line.y == flag && line.w == flag;
}

// Waits for an empty line of `from`.
NITINOL_INLINE void ll_await_empty(const nitinol_team& t, const char* slot, u32 flag, u32 from) {
  u32 spins = 0;
  while (!ll_here(load_line(slot), flag)) {
    if (team_aborted(t, spins, from)) return;
    pause();
  }
}

// Eight bytes of a buffer, of which `valid` are there, from an address of any alignment for K.
template <class K>
NITINOL_INLINE uint2 ll_load(const char* p, u64 valid) {
  uint2 v;
  if (valid >= 8 && ((u64)p & 7) == 0) {
    v = load_pair(p);
  } else {
    u64 bits = 0;
#pragma unroll
    for (u32 i = 0; i < 8; i += K::SIZE) {
      if (i < valid) bits |= (u64)load_element<K>(p + i) << (i * 8 % 64);
    }
    v.x = (u32)bits, v.y = (u32)(bits >> 32);
  }
  return v;
}

template <class K>
NITINOL_INLINE void ll_store(char* p, uint2 v, u64 valid) {
  if (valid >= 8 && ((u64)p & 7) == 0) {
    *(uint2*)p = v;
  } else {
    u64 bits = v.x | (u64)v.y << 32;
#pragma unroll
    for (u32 i = 0; i < 8; i += K::SIZE) {
      if (i < valid) store_element<K>(p + i, (typename K::Word)(bits >> (i * 8 % 64)));
    }
  }
}

#ifdef NITINOL_TYPE

template <class K>
union Pair {
  uint2 bits;
  typename K::Word word[8 / sizeof(typename K::Word)];
};

template <class K>
NITINOL_INLINE uint2 ll_own(const char* p, u64 valid, u64 scalar) {
  Pair<K> v;
  v.bits = ll_load<K>(p, valid);
  if (K::SCALES) {
#pragma unroll
    for (u32 w = 0; w < 8 / sizeof(typename K::Word); w++) v.word[w] = K::pre(v.word[w], scalar);
  }
  return v.bits;
}

template <class K>
NITINOL_INLINE void ll_reduce(const nitinol_ll_reduce_params& a) {
  const nitinol_team& t = a.team;
  const u64 launch = team_enter(t), bytes = a.count * K::SIZE, lines = (bytes + 7) / 8;
  const u32 flag = ll_flag(launch);
  const Threads me = grid_threads();
  for (u64 i = me.index; i < lines; i += me.count) {
    u64 loaded = 0;
    uint2 v = {0, 0};
    for (u32 d = 1; d < t.size; d++) {
      u32 p = t.rank + d < t.size ? t.rank + d : t.rank + d - t.size;
      if ((a.send_mask >> p) & 1) {
        if (a.send[p] != loaded) {
          loaded = a.send[p];
          v = ll_own<K>((const char*)loaded + i * 8, bytes - i * 8, a.scalar);
        }
        store_line(ll_slot(t, a.lines, a.slot_bytes, launch, p, t.rank) + i * 16, v.x, v.y, flag);
      }
    }
  }
  if (me.index == 0) {
    for (u32 p = 0; p < t.size; p++) {
      if (p != t.rank && (lines == 0 || !((a.send_mask >> p) & 1))) {
        store_line(ll_slot(t, a.lines, a.slot_bytes, launch, p, t.rank), 0, 0, flag);
      }
    }
  }
  if (a.destination == 0 || lines == 0) {
    if (me.index < t.size && me.index != t.rank) {
      u32 p = (u32)me.index;
      ll_await_empty(t, ll_slot(t, a.lines, a.slot_bytes, launch, t.rank, p), flag, p);
    }
  } else {
    for (u64 i = me.index; i < lines; i += me.count) {
      Pair<K> sum = {{0, 0}}, own;
      own.bits = ll_own<K>((const char*)a.send[t.rank] + i * 8, bytes - i * 8, a.scalar);
      u32 spins = 0;
      bool here = true;
      for (u32 g = 0; g < t.size && here; g += 8) {
        uint4 line[8];
        while (true) {
          here = true;
          u32 missing = 0;
#pragma unroll
          for (u32 j = 0; j < 8; j++) {
            u32 p = g + j;
            if (p < t.size && p != t.rank) {
              line[j] = load_line(
                  ll_slot(t, a.lines, a.slot_bytes, launch, t.rank, p) + i * 16);
            }
          }
#pragma unroll
          for (u32 j = 0; j < 8; j++) {
            u32 p = g + j;
            if (p < t.size && p != t.rank && !ll_here(line[j], flag)) here = false, missing = p;
          }
          if (here || team_aborted(t, spins, missing)) break;
          pause();
        }
#pragma unroll
        for (u32 j = 0; j < 8; j++) {
          u32 p = g + j;
          if (p < t.size && here) {
            Pair<K> v;
            v.bits.x = line[j].x, v.bits.y = line[j].z;
            if (p == t.rank) v = own;
            if (p == 0) {
              sum = v;
            } else {
#pragma unroll
              for (u32 w = 0; w < 8 / sizeof(typename K::Word); w++) {
                sum.word[w] = K::combine(sum.word[w], v.word[w]);
              }
            }
          }
        }
      }
      if (!here) break;
      if (K::SCALES && a.divisor > 1) {
#pragma unroll
        for (u32 w = 0; w < 8 / sizeof(typename K::Word); w++) {
          sum.word[w] = K::post(sum.word[w], K::reciprocal(a.divisor));
        }
      }
      ll_store<K>((char*)a.destination + i * 8, sum.bits, bytes - i * 8);
    }
  }
  team_end(t, launch);
}

NITINOL_ENTRIES(ll_reduce, NITINOL_TYPE, nitinol_ll_reduce_params, 512, ll_reduce)

#else

NITINOL_ENTRY(nitinol_ll_move, nitinol_ll_move_params, 512) {
  const nitinol_team& t = a.team;
  const u64 launch = team_enter(t);
  const u32 flag = ll_flag(launch);
  const Threads me = grid_threads();
  for (u32 d = 0; d < t.size; d++) {
    u32 p = t.rank + d < t.size ? t.rank + d : t.rank + d - t.size;
    u64 bytes = a.send_bytes[p], lines = (bytes + 7) / 8;
    for (u64 i = me.index; i < lines; i += me.count) {
      uint2 v = ll_load<Bytes>((const char*)a.send[p] + i * 8, bytes - i * 8);
      if (p == t.rank) {
        ll_store<Bytes>((char*)a.receive[p] + i * 8, v, bytes - i * 8);
      } else {
        store_line(ll_slot(t, a.lines, a.slot_bytes, launch, p, t.rank) + i * 16, v.x, v.y, flag);
      }
    }
    if (lines == 0 && p != t.rank && me.index == 0) {
      store_line(ll_slot(t, a.lines, a.slot_bytes, launch, p, t.rank), 0, 0, flag);
    }
  }
  // Threads are dealt out over members and lines, so that no thread waits for one after the other.
  u32 most = 1;
  for (u32 p = 0; p < t.size; p++) {
    u32 lines = (u32)((a.receive_bytes[p] + 7) / 8);
    most = p != t.rank && lines > most ? lines : most;
  }
  for (u64 k = me.index; k < (u64)most * t.size; k += me.count) {
    u32 p = (u32)k / most, i = (u32)k % most;
    u64 bytes = a.receive_bytes[p], lines = (bytes + 7) / 8;
    if (p == t.rank || i >= (lines > 0 ? lines : 1)) continue;
    const char* slot = ll_slot(t, a.lines, a.slot_bytes, launch, t.rank, p) + (u64)i * 16;
    u32 spins = 0;
    bool here = true;
    uint4 line = load_line(slot);
    while (here && !ll_here(line, flag)) {
      here = !team_aborted(t, spins, p);
      pause();
      line = load_line(slot);
    }
    if (!here) break;
    uint2 v = {line.x, line.z};
    if (lines > 0) ll_store<Bytes>((char*)a.receive[p] + (u64)i * 8, v, bytes - (u64)i * 8);
  }
  team_end(t, launch);
}

#endif
