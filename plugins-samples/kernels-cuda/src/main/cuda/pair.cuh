// SPDX-License-Identifier: Apache-2.0
//
// What two members send each other. Each tells the other where it finds what it sends. A part that
// the other can reach is read where it lies, by all blocks. Any other part goes through the
// sender's stage: the blocks of the sender fill slots there while those of the receiver empty
// others, piece after piece within one launch. A large part is written where it goes, if both know
// where it is: a link carries more stores than loads where both directions are busy.
#ifndef NITINOL_PAIR_CUH
#define NITINOL_PAIR_CUH

#include "fold.cuh"
#include "team.cuh"

// How many pieces a sender fills before it looks whether the receiver is there. What a slot waits
// for happened some pieces ago then, and the flags are on their way meanwhile.
#define NITINOL_PAIR_AHEAD 2

// What a sender tells of a part: its address for the receiver, which is 16 at least, or how far the
// part lies from a multiple of 16, where it goes through the stage. So it lies in a slot as in its
// buffer, and the copy there needs no shifts.
NITINOL_INLINE u64 pair_word(const nitinol_pair_params& a, u32 part) {
  return a.there[part] != 0 ? a.there[part] : a.send[part] & 15;
}
NITINOL_INLINE bool pair_staged(u64 word) { return word < 16; }

// A line of 16 bytes: the word of a part, and beside each half the number of the launch, so that a
// part needs no other flag. It is never 0, as the page is before the first launch.
NITINOL_INLINE char* pair_line(const nitinol_team& t, u32 at, u32 area, u32 part) {
  return (char*)t.control[at] + area +
         ((u64)blockIdx.x * NITINOL_MEMBERS + part) * 16;
}
NITINOL_INLINE u32 pair_flag(u64 launch) { return (u32)launch | 0x80000000u; }

NITINOL_INLINE void pair_tell(const nitinol_team& t, u64 launch, u32 area, u32 part, u64 word) {
  store_line(pair_line(t, 1 - t.rank, area, part), (u32)word, (u32)(word >> 32), pair_flag(launch));
}

// Tells the other member of the parts that it gets, and where large ones go that it sends.
NITINOL_INLINE void pair_announce(const nitinol_pair_params& a, u64 launch) {
  u32 part = threadIdx.x;
  if (part < a.sends) pair_tell(a.team, launch, NITINOL_CONTROL_PARTS, part, pair_word(a, part));
  if (part < a.receives && a.receive_bytes[part] >= a.push) {
    pair_tell(a.team, launch, NITINOL_CONTROL_ROOMS, part, a.room[part]);
  }
}

// Waits for the words of parts, of those of `least` bytes at least. Returns false if the waits are
// to end.
NITINOL_INLINE bool pair_listen(
    const nitinol_team& t, u64 launch, u32 area, u32 parts, const u64* bytes, u64 least, u64* words) {
  u32 part = threadIdx.x, spins = 0;
  bool lost = false;
  if (part < parts) words[part] = 0;
  if (part < parts && bytes[part] >= least) {
    const u64* line = (const u64*)pair_line(t, t.rank, area, part);
    // In the order of memory, each half is a word below its flag. What the sender's launches
    // before wrote is seen once the flag is.
    u64 low = load_acquire(line), high = load_acquire(line + 1);
    while ((u32)(low >> 32) != pair_flag(launch) || (u32)(high >> 32) != pair_flag(launch)) {
      lost = team_aborted(t, spins, 1 - t.rank);
      if (lost) break;
      pause();
      low = load_acquire(line);
      high = load_acquire(line + 1);
    }
    words[part] = (low & 0xffffffffu) | high << 32;
  }
  return !__syncthreads_or(lost);
}

// One direction, as one block has it: its slots in the sender's stage, and the pieces of its share
// of each part. Both members cut alike, from the sizes, the grid and the stage alone.
struct PairWay {
  u64 slots, slot;   // the first slot of this block, and the size of one
  u32 index, count;  // this block among those of the direction
  bool serves;       // whether it is one of them
  u32 part;          // the part under way
  u64 at;            // how much of this block's share of it is done
  u64 done;          // pieces
  u64 begin, length; // the piece that next() came to, in the part

  NITINOL_INLINE PairWay(const nitinol_pair_params& a, u32 sender, u64 stage)
      : index(blockIdx.x), count(gridDim.x), serves(true), part(0), at(0), done(0) {
    u32 most = gridDim.x;
    if (a.sends > 0 && a.receives > 0 && gridDim.x > 1) {
      // Half of the blocks for either direction, so that filling does not wait for emptying.
      serves = (blockIdx.x & 1) == sender;
      index = blockIdx.x >> 1;
      count = (gridDim.x + 1 - sender) >> 1;
      most = (gridDim.x + 1) >> 1;
    }
    slot = a.stage_bytes / (most * NITINOL_PAIR_SLOTS) / 16 * 16;
    slots = stage + (u64)index * NITINOL_PAIR_SLOTS * slot;
  }

  // Goes to the next piece, if there is one; the same on all threads of the block.
  NITINOL_INLINE bool next(const u64* words, const u64* bytes, u32 parts) {
    for (; serves && part < parts; part++, at = 0) {
      if (!pair_staged(words[part])) continue;
      u64 each = ((bytes[part] + count - 1) / count + 15) / 16 * 16;
      u64 first = index * each;
      u64 rest = first < bytes[part] ? bytes[part] - first : 0;
      u64 share = rest < each ? rest : each;
      if (at >= share) continue;
      // A slot has room for what lies before the piece in its first 16 bytes.
      length = share - at < slot - 16 ? share - at : slot - 16;
      begin = first + at;
      at += length;
      return true;
    }
    return false;
  }

  // Where the piece lies, for a part that lies `misaligned` in its buffer.
  NITINOL_INLINE u64 place(u64 misaligned) const {
    return slots + done % NITINOL_PAIR_SLOTS * slot + misaligned;
  }
};

// Fills a slot with the next piece of what goes out. `more` says whether there was one. Returns
// false if the waits are to end.
NITINOL_INLINE bool pair_fill(const nitinol_pair_params& a, u64 launch, PairWay& out, bool& more) {
  const nitinol_team& t = a.team;
  more = out.next(a.there, a.send_bytes, a.sends);
  if (!more) return true;
  if (out.done >= NITINOL_PAIR_SLOTS) {
    // The slot is empty once the receiver has taken the piece that it had before.
    u64 taken = (launch << 32) + out.done - NITINOL_PAIR_SLOTS + 1;
    bool lost = threadIdx.x == 0 &&
                !team_await(t, team_flag(t, t.rank, NITINOL_CONTROL_TAIL, 1), taken, 1 - t.rank);
    if (__syncthreads_or(lost)) return false;
  }
  u64 from = a.send[out.part];
  Two source = {from + out.begin, 0}, slot = {out.place(from & 15), 0};
  Scaling none = {0, 0, 0, 1};
  fold<Bytes, 1, 4>(source, 1, slot, 1, none, out.length, block_threads());
  out.done++;
  __syncthreads();
  if (threadIdx.x == 0) {
    store_release(team_flag(t, 1 - t.rank, NITINOL_CONTROL_TAIL, 0), (launch << 32) + out.done);
  }
  return true;
}

// Takes the next piece of what comes in; likewise.
NITINOL_INLINE bool pair_take(
    const nitinol_pair_params& a, u64 launch, const u64* words, PairWay& in, bool& more) {
  const nitinol_team& t = a.team;
  more = in.next(words, a.receive_bytes, a.receives);
  if (!more) return true;
  bool lost = false;
  if (threadIdx.x == 0) {
    u64 arrived = (launch << 32) + in.done + 1;
    lost = !team_await(t, team_flag(t, t.rank, NITINOL_CONTROL_TAIL, 0), arrived, 1 - t.rank);
  }
  if (__syncthreads_or(lost)) return false;
  if (threadIdx.x == 0 && in.done > 0) {
    // All threads have the pieces before this one in their registers, or stored: what the sender
    // does now comes too late to change them. Nobody needs to know of the last pieces.
    store_volatile(team_flag(t, 1 - t.rank, NITINOL_CONTROL_TAIL, 1), (launch << 32) + in.done);
  }
  Two slot = {in.place(words[in.part]), 0}, destination = {a.receive[in.part] + in.begin, 0};
  Scaling none = {0, 0, 0, 1};
  fold<Bytes, 1, 4>(slot, 1, destination, 1, none, in.length, block_threads());
  in.done++;
  return true;
}

NITINOL_INLINE void pair_move(const nitinol_pair_params& a) {
  const nitinol_team& t = a.team;
  NITINOL_SHARED(words, 2 * NITINOL_MEMBERS);
  u64* rooms = words + NITINOL_MEMBERS;
  const u64 launch = team_enter(t);
  pair_announce(a, launch);
  PairWay out(a, t.rank, a.stage), in(a, 1 - t.rank, a.peer_stage);
  // All slots are empty: the launch before ended when the receiver had taken everything.
  bool fills = true, takes = true;
  for (u32 i = 0; i < NITINOL_PAIR_AHEAD && fills; i++) pair_fill(a, launch, out, fills);
  const u64* sizes = a.receive_bytes;
  bool together = pair_listen(t, launch, NITINOL_CONTROL_PARTS, a.receives, sizes, 0, words);
  if (together) {
    sizes = a.send_bytes;
    together = pair_listen(t, launch, NITINOL_CONTROL_ROOMS, a.sends, sizes, a.push, rooms);
  }
  bool wrote = false;
  if (together) {
    for (u32 p = 0; p < a.sends; p++) {
      if (a.there[p] == 0 || rooms[p] == 0) continue;
      Two source = {a.send[p], 0}, destination = {rooms[p], 0};
      Scaling none = {0, 0, 0, 1};
      fold<Bytes, 1, 4>(source, 1, destination, 1, none, a.send_bytes[p], grid_threads());
      wrote = true;
    }
    for (u32 p = 0; p < a.receives; p++) {
      bool pushed = a.receive_bytes[p] >= a.push && a.room[p] != 0;
      if (pair_staged(words[p]) || pushed) continue;
      Two source = {words[p], 0}, destination = {a.receive[p], 0};
      Scaling none = {0, 0, 0, 1};
      fold<Bytes, 1, 4>(source, 1, destination, 1, none, a.receive_bytes[p], grid_threads());
    }
  }
  while (together && (fills || takes)) {
    if (fills) together = pair_fill(a, launch, out, fills);
    if (together && takes) together = pair_take(a, launch, words, in, takes);
  }
  // The other member has read what it gets, and has what was written. What it read it has in
  // registers or stored, as above, so without writes the flag waits for nothing.
  if (together) team_meet(t, NITINOL_CONTROL_LEAVE, launch, wrote);
  team_end(t, launch);
}

#endif
