// SPDX-License-Identifier: Apache-2.0
//
// Collectives of few bytes, with flags in the data: a member stores lines of data and flags into a
// slot at every peer, and polls its own slots. There is no barrier: the data says that it is there.
// ll.cu has lines of 16 bytes, half of which are flags; ll128.cu has lines of 128 bytes with 8 of
// flags, for links that carry such a line whole.
//
// Slots are doubled by the parity of the launch. A member gets a line from every other one in every
// launch, if only an empty one, so it does not end launch k before all have entered it, and have
// thus read what launch k - 1 left in the slots that launch k + 1 writes.
//
// What a launch costs beside the way over the link are loads that wait for each other and
// instructions, so these kernels ask for what they need at once, and have no loop unrolled for more
// members than there are.

// A launch and the next one are on the device together.
#define NITINOL_RESIDENT 2

#include "fold.cuh"
#include "team.cuh"

// Lines of 16 bytes: 8 bytes of data, and a flag of 4 beside either half. A thread has a line.
struct ShortLines {
  static const u32 DATA = 8;
  typedef u32 Flag;

  // The flag of a launch is never 0, as the slots are before their first use.
  static NITINOL_INLINE Flag flag(u64 launch) { return (u32)launch | 0x80000000u; }
  // Threads that a message takes, each with 16 bytes of the slot.
  static NITINOL_INLINE u64 threads(u64 bytes) { return (bytes + 7) / 8; }
  // Where in the message the data of one lie, and how many bytes they are.
  static NITINOL_INLINE u64 place(u64 i) { return i * 8; }
  static NITINOL_INLINE u32 width() { return 8; }
  static NITINOL_INLINE void store(char* p, const u32* v, Flag flag) {
    store_line(p, v[0], v[1], flag);
  }
  static NITINOL_INLINE bool load(const char* p, u32* v, Flag flag) {
    uint4 line = load_line(p);
    v[0] = line.x, v[1] = line.z;
    return line.y == flag && line.w == flag;
  }
  static NITINOL_INLINE bool all(bool here) { return here; }
  static NITINOL_INLINE bool any(bool aborted) { return aborted; }
  static NITINOL_INLINE void store_empty(char* slot, Flag flag) { store_line(slot, 0, 0, flag); }
  static NITINOL_INLINE bool load_empty(const char* slot, Flag flag) {
    uint4 line = load_line(slot);
    return line.y == flag && line.w == flag;
  }
};

// Lines of 128 bytes, the last 8 of which are the number of the launch: eight threads have a line,
// and a warp 480 bytes of data, first those of the 28 threads that have 16, then the rest.
struct LongLines {
  static const u32 DATA = 16;
  typedef u64 Flag;

  static NITINOL_INLINE Flag flag(u64 launch) { return launch; }
  static NITINOL_INLINE u64 threads(u64 bytes) { return (bytes + 479) / 480 * 32; }
  static NITINOL_INLINE u64 place(u64 i) {
    u32 lane = threadIdx.x & 31, line = lane >> 3;
    return (i >> 5) * 480 + (ends_line() ? 448 + line * 8 : (lane - line) * 16);
  }
  static NITINOL_INLINE u32 width() { return ends_line() ? 8 : 16; }
  static NITINOL_INLINE void store(char* p, const u32* v, Flag flag) {
    uint4 line = {v[0], v[1], v[2], v[3]};
    store_long_line(p, line, flag);
  }
  static NITINOL_INLINE bool load(const char* p, u32* v, Flag flag) {
    uint4 line;
    bool here = load_long_line(p, line, flag);
    v[0] = line.x, v[1] = line.y, v[2] = line.z, v[3] = line.w;
    return here;
  }
  // A warp reads four lines, and goes on with all of them.
  static NITINOL_INLINE bool all(bool here) { return !warp_any(!here); }
  static NITINOL_INLINE bool any(bool aborted) { return warp_any(aborted); }
  static NITINOL_INLINE void store_empty(char* slot, Flag flag) {
    store_volatile((u64*)(slot + 120), flag);
  }
  static NITINOL_INLINE bool load_empty(const char* slot, Flag flag) {
    return load_volatile((const u64*)(slot + 120)) == flag;
  }
};

// The data of a thread: a whole number of words.
template <class K, class L>
union Piece {
  u32 bits[L::DATA / 4];
  typename K::Word word[L::DATA / sizeof(typename K::Word)];
};

// Up to 8 bytes from an address of any alignment for K, of which `valid` are there.
template <class K>
NITINOL_INLINE void ll_load8(const char* p, u64 valid, u32* v) {
  if (valid >= 8 && ((u64)p & 7) == 0) {
    uint2 pair = load_pair(p);
    v[0] = pair.x, v[1] = pair.y;
  } else {
    u64 bits = 0;
#pragma unroll
    for (u32 i = 0; i < 8; i += K::SIZE) {
      if (i < valid) bits |= (u64)load_element<K>(p + i) << (i * 8 % 64);
    }
    v[0] = (u32)bits, v[1] = (u32)(bits >> 32);
  }
}
template <class K>
NITINOL_INLINE void ll_store8(char* p, u64 valid, const u32* v) {
  if (valid >= 8 && ((u64)p & 7) == 0) {
    uint2 pair = {v[0], v[1]};
    *(uint2*)p = pair;
  } else {
    u64 bits = v[0] | (u64)v[1] << 32;
#pragma unroll
    for (u32 i = 0; i < 8; i += K::SIZE) {
      if (i < valid) store_element<K>(p + i, (typename K::Word)(bits >> (i * 8 % 64)));
    }
  }
}

// What thread i of a message of `bytes` has of it.
template <class K, class L>
NITINOL_INLINE Piece<K, L> ll_load(u64 message, u64 bytes, u64 i) {
  Piece<K, L> v;
  u64 at = L::place(i), valid = at < bytes ? bytes - at : 0;
  const char* p = (const char*)message + at;
  if (L::DATA == 16 && L::width() == 16 && valid >= 16 && ((u64)p & 15) == 0) {
    uint4 line = load_vector(p);
    v.bits[0] = line.x, v.bits[1] = line.y;
    v.bits[L::DATA / 4 - 2] = line.z, v.bits[L::DATA / 4 - 1] = line.w;
  } else {
    ll_load8<K>(p, valid, v.bits);
    if (L::DATA == 16) {
      u64 more = L::width() == 16 && valid > 8 ? valid - 8 : 0;
      ll_load8<K>(p + 8, more, v.bits + L::DATA / 4 - 2);
    }
  }
  return v;
}

template <class K, class L>
NITINOL_INLINE void ll_store(u64 message, u64 bytes, u64 i, const Piece<K, L>& v) {
  u64 at = L::place(i), valid = at < bytes ? bytes - at : 0;
  char* p = (char*)message + at;
  if (L::DATA == 16 && L::width() == 16 && valid >= 16 && ((u64)p & 15) == 0) {
    uint4 line = {v.bits[0], v.bits[1], v.bits[L::DATA / 4 - 2], v.bits[L::DATA / 4 - 1]};
    store_vector(p, line);
  } else {
    ll_store8<K>(p, valid, v.bits);
    if (L::DATA == 16 && L::width() == 16 && valid > 8) {
      ll_store8<K>(p + 8, valid - 8, v.bits + L::DATA / 4 - 2);
    }
  }
}

// The slot at member `at` of what member `from` sends in this launch.
template <class P>
NITINOL_INLINE char* ll_slot(const P& a, u64 launch, u32 at, u32 from) {
  return (char*)(a.lines[at] + ((launch & 1) * a.team.size + from) * a.slot_bytes);
}

// Waits for the empty lines of all other members, a thread for each.
template <class L, class P>
NITINOL_INLINE void ll_await_empty(const P& a, u64 launch, u64 index) {
  const nitinol_team& t = a.team;
  if (index >= t.size || index == t.rank) return;
  const char* slot = ll_slot(a, launch, t.rank, (u32)index);
  u32 spins = 0;
  while (!L::load_empty(slot, L::flag(launch))) {
    if (team_aborted(t, spins, (u32)index)) return;
    pause();
  }
}

#ifdef NITINOL_TYPE

template <class K, class L>
NITINOL_INLINE Piece<K, L> ll_own(u64 message, u64 bytes, u64 i, u64 scalar) {
  Piece<K, L> v = ll_load<K, L>(message, bytes, i);
  if (K::SCALES) {
#pragma unroll
    for (u32 w = 0; w < L::DATA / sizeof(typename K::Word); w++) {
      v.word[w] = K::pre(v.word[w], scalar);
    }
  }
  return v;
}

// Folds what came and the own contribution in the order of the ranks, with the lines of up to G
// members on their way at once. `own` is that of thread `index` of the message.
template <class K, class L, u32 G>
NITINOL_INLINE void ll_fold(
    const nitinol_ll_reduce_params& a, u64 launch, const Threads& me, Piece<K, L> own) {
  const nitinol_team& t = a.team;
  const u64 bytes = a.count * K::SIZE, threads = L::threads(bytes);
  const typename L::Flag flag = L::flag(launch);
  const char* slots = ll_slot(a, launch, t.rank, 0);
  for (u64 i = me.index; i < threads; i += me.count) {
    if (i != me.index) own = ll_own<K, L>(a.send[t.rank], bytes, i, a.scalar);
    Piece<K, L> sum;
    u32 spins = 0;
    bool together = true;
    for (u32 g = 0; g < t.size && together; g += G) {
      Piece<K, L> v[G];
      while (true) {
        u32 missing = t.size;
#pragma unroll
        for (u32 j = 0; j < G; j++) {
          u32 p = g + j;
          if (p < t.size && p != t.rank && !L::load(slots + p * a.slot_bytes + i * 16, v[j].bits, flag)) {
            missing = p;
          }
        }
        if (L::all(missing == t.size)) break;
        together = !L::any(team_aborted(t, spins, missing < t.size ? missing : t.rank));
        if (!together) break;
        pause();
      }
#pragma unroll
      for (u32 j = 0; j < G; j++) {
        u32 p = g + j;
        if (p < t.size) {
          if (p == t.rank) v[j] = own;
          if (p == 0) {
            sum = v[j];
          } else {
#pragma unroll
            for (u32 w = 0; w < L::DATA / sizeof(typename K::Word); w++) {
              sum.word[w] = K::combine(sum.word[w], v[j].word[w]);
            }
          }
        }
      }
    }
    if (!together) break;
    if (K::SCALES && a.divisor > 1) {
#pragma unroll
      for (u32 w = 0; w < L::DATA / sizeof(typename K::Word); w++) {
        sum.word[w] = K::post(sum.word[w], K::reciprocal(a.divisor));
      }
    }
    ll_store<K, L>(a.destination, bytes, i, sum);
  }
}

template <class K, class L>
NITINOL_INLINE void ll_reduce(const nitinol_ll_reduce_params& a) {
  const nitinol_team& t = a.team;
  const Threads me = grid_threads();
  const u64 bytes = a.count * K::SIZE, threads = L::threads(bytes);
  await_launches_before();
  // Both loads are under way before either is waited for.
  const u64 before = team_launches(t);
  Piece<K, L> own = {{0}};
  if (me.index < threads) own = ll_own<K, L>(a.send[t.rank], bytes, me.index, a.scalar);
  const u64 launch = before + 1;
  const typename L::Flag flag = L::flag(launch);
  for (u32 d = 1; d < t.size; d++) {
    u32 p = t.rank + d < t.size ? t.rank + d : t.rank + d - t.size;
    char* slot = ll_slot(a, launch, p, t.rank);
    bool gets = threads > 0 && (a.send_mask >> p) & 1, same = a.send[p] == a.send[t.rank];
    for (u64 i = me.index; gets && i < threads; i += me.count) {
      Piece<K, L> v = own;
      if (!same || i != me.index) v = ll_own<K, L>(a.send[p], bytes, i, a.scalar);
      L::store(slot + i * 16, v.bits, flag);
    }
    if (!gets && me.index == 0) L::store_empty(slot, flag);
  }
  if (a.destination == 0 || threads == 0) {
    ll_await_empty<L>(a, launch, me.index);
  } else if (t.size <= 2) {
    ll_fold<K, L, 2>(a, launch, me, own);
  } else {
    ll_fold<K, L, 4>(a, launch, me, own);
  }
  team_end(t, launch);
}

#else

template <class L>
NITINOL_INLINE void ll_move(const nitinol_ll_move_params& a) {
  const nitinol_team& t = a.team;
  const Threads me = grid_threads();
  await_launches_before();
  const u64 before = team_launches(t);
  const u64 kept_bytes = a.send_bytes[t.rank], keeps = L::threads(kept_bytes);
  Piece<Bytes, L> kept = {{0}};
  if (me.index < keeps) kept = ll_load<Bytes, L>(a.send[t.rank], kept_bytes, me.index);
  const u64 launch = before + 1;
  const typename L::Flag flag = L::flag(launch);
  for (u32 d = 1; d < t.size; d++) {
    u32 p = t.rank + d < t.size ? t.rank + d : t.rank + d - t.size;
    u64 bytes = a.send_bytes[p], threads = L::threads(bytes);
    char* slot = ll_slot(a, launch, p, t.rank);
    for (u64 i = me.index; i < threads; i += me.count) {
      Piece<Bytes, L> v = ll_load<Bytes, L>(a.send[p], bytes, i);
      L::store(slot + i * 16, v.bits, flag);
    }
    if (threads == 0 && me.index == 0) L::store_empty(slot, flag);
  }
  // What stays here comes while the lines are on their way.
  for (u64 i = me.index; i < keeps; i += me.count) {
    if (i != me.index) kept = ll_load<Bytes, L>(a.send[t.rank], kept_bytes, i);
    ll_store<Bytes, L>(a.receive[t.rank], kept_bytes, i, kept);
  }
  // Threads are dealt out over members and lines, so that none waits for one after the other.
  u64 most = 0;
  for (u32 p = 0; p < t.size; p++) {
    u64 threads = p == t.rank ? 0 : L::threads(a.receive_bytes[p]);
    most = threads > most ? threads : most;
  }
  const u64 all = most * (t.size - 1);
  for (u64 k = me.index; k < all; k += me.count) {
    u32 q = t.size == 2 ? 0 : (u32)k / (u32)most;
    u64 i = k - q * most;
    u32 p = q < t.rank ? q : q + 1;
    u64 bytes = a.receive_bytes[p];
    if (i >= L::threads(bytes)) continue;
    const char* line = ll_slot(a, launch, t.rank, p) + i * 16;
    Piece<Bytes, L> v;
    u32 spins = 0;
    bool together = true;
    while (together && !L::all(L::load(line, v.bits, flag))) {
      together = !L::any(team_aborted(t, spins, p));
      pause();
    }
    if (!together) break;
    ll_store<Bytes, L>(a.receive[p], bytes, i, v);
  }
  if (me.index < t.size && me.index != t.rank && a.receive_bytes[me.index] == 0) {
    ll_await_empty<L>(a, launch, me.index);
  }
  team_end(t, launch);
}

#endif
