// SPDX-License-Identifier: Apache-2.0
//
// How the members of a team wait for each other. Every block of a member has its own flags and
// works with the blocks of the same number of the others, so the blocks of one grid need not meet.
//
// Launches are counted in the control page, not by the host, so that a captured graph can be
// replayed. No member ends a launch before all others have entered it. So a member is at most one
// launch ahead of the slowest, and what the launch before the last used may be used again.
#ifndef NITINOL_TEAM_CUH
#define NITINOL_TEAM_CUH

#include "device.cuh"

NITINOL_INLINE u64* team_flag(const nitinol_team& t, u32 owner, u32 area, u32 from) {
  return (u64*)(t.control[owner] + area) + blockIdx.x * NITINOL_MEMBERS + from;
}

// How many launches there were before this one, the same on all members.
NITINOL_INLINE u64 team_launches(const nitinol_team& t) {
  return load_volatile((const u64*)(t.control[t.rank] + NITINOL_CONTROL_EPOCH) + blockIdx.x);
}

// The number of this launch, from 1 on.
NITINOL_INLINE u64 team_enter(const nitinol_team& t) { return team_launches(t) + 1; }

// Counts the launch. Every counter that no block of this grid reads is written here too, so that
// the next launch may have another grid.
NITINOL_INLINE void team_end(const nitinol_team& t, u64 launch) {
  __syncthreads();
  u64* epoch = (u64*)(t.control[t.rank] + NITINOL_CONTROL_EPOCH);
  for (u32 i = blockIdx.x + threadIdx.x * gridDim.x; i < NITINOL_BLOCKS;
       i += blockDim.x * gridDim.x) {
    store_volatile(epoch + i, launch);
  }
}

// Whether the waits of this launch are to end. The abort word is looked at seldom, as it may be in
// the host's memory. What saw it says so in this device's memory, which is looked at more often:
// launches that are queued end soon, too.
NITINOL_INLINE bool team_aborted(const nitinol_team& t, u32& spins, u32 awaited) {
  if (++spins % NITINOL_SPINS_PER_GLANCE != 0) return false;
  u32* seen = (u32*)(t.control[t.rank] + NITINOL_CONTROL_ABORTED);
  if (load_volatile(seen) == 0) {
    bool looks = spins % NITINOL_SPINS_PER_LOOK == 0;
    if (!looks || load_volatile((const u32*)t.abort) == 0) return false;
    store_volatile(seen, 1u);
  }
  store_volatile((u32*)t.status, awaited + 1);
  return true;
}

// Waits until *flag is at least value. Returns false if the waits are to end.
NITINOL_INLINE bool team_await(const nitinol_team& t, const u64* flag, u64 value, u32 awaited) {
  u32 spins = 0;
  while (load_acquire(flag) < value) {
    if (team_aborted(t, spins, awaited)) return false;
    pause();
  }
  return true;
}

// Meets the same block of all members. What any of them wrote in launches before is seen by all
// afterwards, since the end of a launch made it so; with `releases` also what they wrote in this
// one, for which the hardware waits. All threads of the block call it. Returns false if the waits
// are to end.
NITINOL_INLINE bool team_meet(const nitinol_team& t, u32 area, u64 launch, bool releases) {
  __syncthreads();
  bool lost = false;
  u32 p = threadIdx.x;
  if (p < t.size && p != t.rank) {
    u64* flag = team_flag(t, p, area, t.rank);
    if (releases) {
      store_release(flag, launch);
    } else {
      store_volatile(flag, launch);
    }
    lost = !team_await(t, team_flag(t, t.rank, area, p), launch, p);
  }
  return !__syncthreads_or(lost);
}

#endif
