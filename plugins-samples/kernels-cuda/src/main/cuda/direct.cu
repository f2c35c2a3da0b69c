// SPDX-License-Identifier: Apache-2.0
//
// Collectives that read and write the members' buffers where they are: two meetings, and a fold or
// moves between them. Compiled once for each NITINOL_TYPE, and once without for the moves, among
// which are those between two members.
#include "fold.cuh"
#include "pair.cuh"
#include "team.cuh"

#ifdef NITINOL_TYPE

template <class K>
NITINOL_INLINE void direct_reduce(const nitinol_direct_reduce_params& a) {
  const nitinol_team& t = a.team;
  u64 launch = team_enter(t);
  u64* scalars = (u64*)(t.control[t.rank] + NITINOL_CONTROL_SCALAR);
  if (K::SCALES && threadIdx.x < t.size) {
    // All blocks write the same number. A member's next launch overwrites it, and comes after the
    // second meeting with every block of this one.
    store_volatile((u64*)(t.control[threadIdx.x] + NITINOL_CONTROL_SCALAR) + t.rank, a.scalar);
  }
  bool together = team_meet(t, NITINOL_CONTROL_ENTER, launch, K::SCALES);
  if (together && a.destinations > 0) {
    Buffers from = {a.source}, to = {a.destination};
    Scaling s = {scalars, 1, 0xffff, a.divisor};
    // Loads from up to four members at once; two where an operator takes much code.
    fold<K, K::SIZE <= 2 ? 2 : 4, 2>(from, t.size, to, a.destinations, s, a.count, grid_threads());
  }
  if (together) team_meet(t, NITINOL_CONTROL_LEAVE, launch, true);
  team_end(t, launch);
}

NITINOL_ENTRIES(direct_reduce, NITINOL_TYPE, nitinol_direct_reduce_params, 512, direct_reduce)

#else

NITINOL_ENTRY(nitinol_direct_move, nitinol_direct_move_params, 512) {
  const nitinol_team& t = a.team;
  u64 launch = team_enter(t);
  bool together = team_meet(t, NITINOL_CONTROL_ENTER, launch, false);
  if (together) {
    Scaling none = {0, 0, 0, 1};
    bool fans = a.mode == NITINOL_MOVE_FAN;
    u32 moves = fans ? 1 : a.moves;
    // Of several moves the last one stays on the device. Some blocks do that one alone, so that the
    // links are busy meanwhile.
    u32 inner = moves > 1 ? gridDim.x / NITINOL_INNER_SHARE : 0, outer = gridDim.x - inner;
    for (u32 m = 0; m < moves; m++) {
      Buffers from = {a.source + m}, to = {a.destination + m};
      Threads who = grid_threads();
      if (inner > 0 && m == moves - 1) {
        if (blockIdx.x < outer) break;
        who.index -= (u64)outer * blockDim.x;
        who.count = (u64)inner * blockDim.x;
      } else if (inner > 0) {
        if (blockIdx.x >= outer) continue;
        who.count = (u64)outer * blockDim.x;
      }
      fold<Bytes, 1, 4>(from, 1, to, fans ? a.moves : 1, none, a.bytes[m], who);
    }
    // What only this member wrote needs no release: it has read what it reads.
    team_meet(t, NITINOL_CONTROL_LEAVE, launch, a.mode != NITINOL_MOVE_TAKE);
  }
  team_end(t, launch);
}

NITINOL_ENTRY(nitinol_pair_move, nitinol_pairs_params, 512) { pair_move(a.pair[blockIdx.y]); }

#endif
