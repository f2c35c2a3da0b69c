// SPDX-License-Identifier: Apache-2.0
//
// Collectives of many bytes, round a ring in the order of the ranks: a member stores what it has
// straight into the memory of the next one, slice by slice, and then raises a counter there. Block c
// of the grid has its own ring over its own part of every chunk.
//
// Moves write each place of the output once in a launch, so there are no slots and no credits.
// Reductions have slots in the scratch buffer, and work in rounds: in each a member does every step
// it can, each on another slice, and tells its neighbours once. What a round needs was sent a few
// rounds before, so nobody waits for the link.
//
// Compiled once for each NITINOL_TYPE, and once without for what only moves.
#include "fold.cuh"
#include "team.cuh"

struct Ring {
  const nitinol_team& t;
  const u64 launch;
  const u32 next, previous;
  u64 *tail, *next_tail;

  NITINOL_INLINE Ring(const nitinol_team& team)
      : t(team),
        launch(team_enter(team)),
        next(team.rank + 1 == team.size ? 0 : team.rank + 1),
        previous(team.rank == 0 ? team.size - 1 : team.rank - 1),
        tail(team_flag(team, team.rank, NITINOL_CONTROL_TAIL, 0)),
        next_tail(team_flag(team, next, NITINOL_CONTROL_TAIL, 0)) {}

  // Tells the previous member that it may write here, and that `rounds` of this launch are done.
  // One thread calls it.
  NITINOL_INLINE void allow(u64 rounds) const {
    store_volatile(team_flag(t, previous, NITINOL_CONTROL_READY, 0), (launch << 32) + rounds);
  }

  // Waits for the next member to say so. One thread calls it; false if the waits are to end.
  NITINOL_INLINE bool allowed(u64 rounds) const {
    const u64* flag = team_flag(t, t.rank, NITINOL_CONTROL_READY, 0);
    return team_await(t, flag, (launch << 32) + rounds, next);
  }

  // Waits until the previous member has sent so many slices, or done so many rounds.
  NITINOL_INLINE bool arrived(u64 slices) const {
    return team_await(t, tail, (launch << 32) + slices, previous);
  }

  // Tells the previous member that it may write here, and waits for leave to write to the next.
  // For all threads of the block; false if the waits are to end.
  NITINOL_INLINE bool enter() const {
    bool lost = false;
    if (threadIdx.x == 0) {
      allow(0);
      lost = !allowed(0);
    }
    return !__syncthreads_or(lost);
  }

  // Tells the next member that it has so many slices, or rounds. One thread calls it, and waits until
  // what the block stored has arrived.
  NITINOL_INLINE void tell(u64 slices) const { store_release(next_tail, (launch << 32) + slices); }

  // Waits for slices as a warp, which goes on while another one still signals. Returns whether its
  // waits are to end.
  NITINOL_INLINE bool lost(u64 slices) const {
    bool lost = warp_any(warp_waits() && !arrived(slices));
    warp_join();
    return lost;
  }

  // Ends what all threads of the block do with a slice. Unless one of them is lost, the last thread
  // tells the next member, when what they stored has arrived; the others go on.
  NITINOL_INLINE bool pass(bool lost, bool sends, u64 slices) const {
    if (__syncthreads_or(lost)) return false;
    if (sends && threadIdx.x == blockDim.x - 1) tell(slices);
    return true;
  }

  // The chunk that passes here in step k: the own one is complete here in step size - 1.
  NITINOL_INLINE u32 chunk(u32 k) const { return (t.rank + 2 * t.size - 1 - k) % t.size; }
};

// The part of this block in a chunk or buffer of `count` elements, cut at multiples of `unit`.
struct Part {
  u64 first, count, slices;
  NITINOL_INLINE Part(u64 whole, u64 count_, u64 unit, u64 slice) {
    // `whole` is the same for all chunks, so that all have the same number of slices.
    u64 each = ((whole + gridDim.x - 1) / gridDim.x + unit - 1) / unit * unit;
    first = blockIdx.x * each < count_ ? blockIdx.x * each : count_;
    count = count_ - first < each ? count_ - first : each;
    slices = (each + slice - 1) / slice;
  }
};

// One step on one slice: `in` is a contribution, or what came and the own contribution. Both
// destinations may differ in their alignment; then all threads of the block take part, also those
// that are lost, which move nothing.
template <class K, int P, int U>
NITINOL_INLINE void ring_fold(
    const Two& in, u32 sources, const Two& out, u32 copies, const Scaling& s, u64 count, bool lost) {
  bool alike = copies < 2 || ((out.first ^ out.second) & 15) == 0;
  if (!lost) fold_alike<K, P, U>(in, sources, out, alike ? copies : 1, s, 0, count, block_threads());
  if (!alike) {
    __syncthreads();
    Two from = {out.first, 0}, to = {out.second, 0};
    Scaling none = {0, 0, 0, 1};
    if (!lost) fold_alike<Bytes, 1, 2>(from, 1, to, 1, none, 0, count * K::SIZE, block_threads());
  }
}

#ifdef NITINOL_TYPE

// A slice that goes through step k in round i goes through step k + 1, at the next member, in round
// i + NITINOL_RING_LAG. Slice s of step k is in slot s % NITINOL_RING_SLOTS of that step there.
template <class K>
NITINOL_INLINE void ring_reduce(const nitinol_ring_reduce_params& a) {
  const u64 LAG = NITINOL_RING_LAG, SLOTS = NITINOL_RING_SLOTS;
  const Ring ring(a.team);
  const u32 n = a.team.size, rank = a.team.rank;
  const bool chain = a.mode == NITINOL_RING_CHAIN, gathers = a.mode == NITINOL_RING_GATHER;
  if (threadIdx.x == 0) ring.allow(0);
  // In a chain a member has one step, the root the last one; all data are one chunk.
  const u32 place = (rank + 2 * n - 1 - a.root) % n;
  const u32 begin = chain ? place : 0, end = chain ? place + 1 : gathers ? 2 * n - 2 : n;
  const u64 slices = Part(a.stride, a.stride, 16 / K::SIZE, a.slice).slices;
  const u64 rounds = slices + LAG * (gathers ? 2 * n - 3 : n - 1);
  const u64 slot = a.slice * K::SIZE, step = gridDim.x * SLOTS * slot;
  const u64 own = blockIdx.x * SLOTS * slot;
  bool lost = false, together = true;
  for (u64 i = 0; i < rounds && together; i++) {
    // Each warp waits for itself, so that the one that signals holds up no other.
    if (warp_waits()) {
      lost = i >= LAG && !ring.arrived(i - LAG + 1);
      lost = lost || !ring.allowed(i + LAG + 1 > SLOTS ? i + LAG + 1 - SLOTS : 0);
    }
    lost = warp_any(lost);
    warp_join();
    for (u32 k = begin; k < end; k++) {
      u64 s = i - k * LAG;
      if (i < k * LAG || s >= slices) continue;
      u32 chunk = chain ? 0 : ring.chunk(k);
      u64 start = chunk * a.stride < a.count ? chunk * a.stride : a.count;
      u64 size = a.count - start < a.stride ? a.count - start : a.stride;
      Part part(a.stride, size, 16 / K::SIZE, a.slice);
      u64 from = s * a.slice < part.count ? s * a.slice : part.count;
      u64 length = part.count - from < a.slice ? part.count - from : a.slice;
      if (length == 0) continue;
      u64 at = (start + part.first + from) * K::SIZE;
      // Reduce-scatter has only its own chunk in the output.
      u64 out_at = (a.mode == NITINOL_RING_SCATTER ? part.first + from : start + part.first + from) * K::SIZE;
      bool first = k == 0, last = k == n - 1;
      if (k < n) {
        u64 here = own + s % SLOTS * slot, row = chain ? 0 : k * step;
        Two in = {first ? a.input + at : a.scratch + here + row - (chain ? 0 : step), a.input + at};
        Two out = {last ? a.output + out_at : a.next_scratch + here + row, a.next_output + out_at};
        // What came is multiplied already.
        Scaling scaling = {&a.scalar, 0, first ? 1u : 2u, last ? a.divisor : 1};
        ring_fold<K, 2, 2>(in, first ? 1 : 2, out, last && gathers ? 2 : 1, scaling, length, lost);
      } else if (!lost) {
        Two in = {a.output + out_at, 0}, out = {a.next_output + out_at, 0};
        Scaling none = {0, 0, 0, 1};
        fold_alike<Bytes, 1, 4>(in, 1, out, 1, none, 0, length * K::SIZE, block_threads());
      }
    }
    together = !__syncthreads_or(lost);
    if (together && threadIdx.x == blockDim.x - 1) {
      ring.allow(i + 1);
      ring.tell(i + 1);
    }
  }
  if (gathers && together && threadIdx.x == 0) ring.arrived(rounds);
  team_end(a.team, ring.launch);
}

NITINOL_ENTRIES(ring_reduce, NITINOL_TYPE, nitinol_ring_reduce_params, 512, ring_reduce)

#else

NITINOL_ENTRY(nitinol_ring_gather, nitinol_ring_gather_params, 512) {
  const Ring ring(a.team);
  const u32 n = a.team.size;
  bool together = ring.enter();
  const Part part(a.bytes, a.bytes, 16, a.slice);
  const Scaling none = {0, 0, 0, 1};
  u64 sent = 0, awaited = 0;
  for (u32 k = n - 1; k < 2 * n - 1 && together; k++) {
    u64 chunk = ring.chunk(k) * a.bytes;
    bool own = k == n - 1, sends = k + 1 < 2 * n - 1;
    for (u64 s = 0; s < part.slices && together; s++) {
      u64 from = s * a.slice < part.count ? s * a.slice : part.count;
      u64 length = part.count - from < a.slice ? part.count - from : a.slice;
      bool lost = !own && ring.lost(++awaited);
      if (length > 0 && sends) {
        u64 at = part.first + from;
        Two in = {own ? a.input + at : a.output + chunk + at, 0};
        u64 here = a.output + chunk + at, there = a.next_output + chunk + at;
        bool keeps = own && in.first != here;
        Two out = {keeps ? here : there, there};
        u32 copies = keeps ? 2 : 1;
        ring_fold<Bytes, 1, 8>(in, 1, out, copies, none, length, lost);
      }
      together = ring.pass(lost, sends, ++sent);
    }
  }
  team_end(a.team, ring.launch);
}

NITINOL_ENTRY(nitinol_ring_broadcast, nitinol_ring_broadcast_params, 512) {
  const Ring ring(a.team);
  const u32 n = a.team.size;
  // The root must not end before the last member has entered: hence a meeting, not a hand-shake.
  bool together = team_meet(a.team, NITINOL_CONTROL_ENTER, ring.launch, false);
  const Part part(a.bytes, a.bytes, 16, a.slice);
  const Scaling none = {0, 0, 0, 1};
  const bool root = a.team.rank == a.root, sends = ring.next != a.root && n > 1;
  for (u64 s = 0; s < part.slices && together; s++) {
    u64 from = s * a.slice < part.count ? s * a.slice : part.count;
    u64 length = part.count - from < a.slice ? part.count - from : a.slice;
    u64 at = part.first + from;
    bool lost = !root && ring.lost(s + 1);
    Two in = {root ? a.input + at : a.output + at, 0};
    bool keeps = in.first != a.output + at;
    Two out = {keeps ? a.output + at : a.next_output + at, a.next_output + at};
    u32 copies = (sends ? 1 : 0) + (keeps ? 1 : 0);
    if (length > 0 && copies > 0) ring_fold<Bytes, 1, 8>(in, 1, out, copies, none, length, lost);
    together = ring.pass(lost, sends, s + 1);
  }
  team_end(a.team, ring.launch);
}

#endif
