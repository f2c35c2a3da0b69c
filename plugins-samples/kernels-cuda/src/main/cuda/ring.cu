// SPDX-License-Identifier: Apache-2.0
//
// Collectives of many bytes, round a ring in the order of the ranks: a member stores what it has
// straight into the memory of the next one, slice by slice, and then raises a counter there. A
// place in the scratch buffer or in the output is written once in a launch, so there are no slots
// and no credits. Block c of the grid has its own ring over its own part of every chunk.
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

  // Tells the previous member that it may write here, and waits for leave to write to the next.
  // For all threads of the block; false if the waits are to end.
  NITINOL_INLINE bool enter() const {
    bool lost = false;
    if (threadIdx.x == 0) {
      store_volatile(team_flag(t, previous, NITINOL_CONTROL_READY, 0), launch);
      lost = !team_await(t, team_flag(t, t.rank, NITINOL_CONTROL_READY, 0), launch, next);
    }
    return !__syncthreads_or(lost);
  }

  // Waits until the previous member has sent `slices` in this launch.
  NITINOL_INLINE bool await(u64 slices) const {
    bool lost = threadIdx.x == 0 && !team_await(t, tail, (launch << 32) + slices, previous);
    return !__syncthreads_or(lost);
  }

  // Tells the next member that it has `slices` of this launch.
  NITINOL_INLINE void signal(u64 slices) const {
    __syncthreads();
    if (threadIdx.x == 0) store_release(next_tail, (launch << 32) + slices);
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

#ifdef NITINOL_TYPE

template <class K>
NITINOL_INLINE void ring_reduce(const nitinol_ring_reduce_params& a) {
  const Ring ring(a.team);
  const u32 n = a.team.size;
  bool together = ring.enter();
  u64 sent = 0, awaited = 0;
  // Reduce-scatter ends with the own chunk; all-reduce sends that on and forwards what comes.
  const u32 steps = a.gather ? 2 * n - 1 : n;
  for (u32 k = 0; k < steps && together; k++) {
    u32 chunk = ring.chunk(k);
    u64 start = chunk * a.stride < a.count ? chunk * a.stride : a.count;
    u64 size = a.count - start < a.stride ? a.count - start : a.stride;
    Part part(a.stride, size, 16 / K::SIZE, a.slice);
    // Reduce-scatter has only its own chunk in the output.
    u64 in_output = a.gather ? start : 0;
    for (u64 s = 0; s < part.slices && together; s++) {
      u64 from = s * a.slice < part.count ? s * a.slice : part.count;
      u64 length = part.count - from < a.slice ? part.count - from : a.slice;
      if (k > 0) together = ring.await(++awaited);
      if (!together) break;
      u64 at = (start + part.first + from) * K::SIZE;
      u64 out_at = (in_output + part.first + from) * K::SIZE;
      bool first = k == 0, reducing = k < n, last = k == n - 1, sends = k + 1 < steps;
      if (length > 0 && (reducing || sends)) {
        Two in = {first ? a.input + at : reducing ? a.scratch + at : a.output + out_at,
                  a.input + at};
        Two out = {last       ? a.output + out_at
                   : reducing ? a.next_scratch + at
                              : a.next_output + out_at,
                   a.next_output + out_at};
        // What came is multiplied already.
        Scaling scaling = {&a.scalar, 0, first ? 1u : 2u, last ? a.divisor : 1};
        if (reducing) {
          fold<K, 2, 2>(
              in, first ? 1 : 2, out, last && a.gather ? 2 : 1, scaling, length, block_threads());
        } else {
          Scaling none = {0, 0, 0, 1};
          fold<Bytes, 1, 4>(in, 1, out, 1, none, length * K::SIZE, block_threads());
        }
      }
      if (sends) ring.signal(++sent);
    }
  }
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
    for (u64 s = 0; s < part.slices && together; s++) {
      u64 from = s * a.slice < part.count ? s * a.slice : part.count;
      u64 length = part.count - from < a.slice ? part.count - from : a.slice;
      bool own = k == n - 1, sends = k + 1 < 2 * n - 1;
      if (!own) together = ring.await(++awaited);
      if (!together) break;
      if (length > 0 && sends) {
        u64 at = part.first + from;
        Two in = {own ? a.input + at : a.output + chunk + at, 0};
        Two out = {a.next_output + chunk + at, a.output + chunk + at};
        u32 copies = own && in.first != out.second ? 2 : 1;
        fold<Bytes, 1, 8>(in, 1, out, copies, none, length, block_threads());
      }
      if (sends) ring.signal(++sent);
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
    if (!root) together = ring.await(s + 1);
    if (!together) break;
    u64 at = part.first + from;
    Two in = {root ? a.input + at : a.output + at, 0};
    Two out = {sends ? a.next_output + at : a.output + at, a.output + at};
    u32 copies = (sends ? 1 : 0) + (in.first != out.second ? 1 : 0);
    if (length > 0 && copies > 0) {
      fold<Bytes, 1, 8>(in, 1, out, copies, none, length, block_threads());
    }
    if (sends) ring.signal(s + 1);
  }
  team_end(a.team, ring.launch);
}

#endif
