// SPDX-License-Identifier: Apache-2.0
//
// The parameters of every kernel of this module, one struct per family, in plain C. The host fills
// a struct and hands cuLaunchKernel its address; each kernel takes exactly one of them, by value.
//
// Addresses are device addresses as the launching context sees them, 64 bits each. An address of
// elements is a multiple of the element's size; nothing more is asked of it. Counts are in elements
// where the kernel has a type, otherwise in bytes. All members of a team launch the same kernel
// with the same grid and block, in the same order; a member's launches on one control page follow
// each other in one stream, or as if they did. A block has 32 to 512 threads, a multiple of 32.
#ifndef NITINOL_PARAMS_H
#define NITINOL_PARAMS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned int nitinol_u32;
typedef unsigned long long nitinol_u64;

// Members of a team, sources and destinations of a kernel, and moves of a list, at most.
#define NITINOL_MEMBERS 16

// Blocks of a grid, at most, for the kernels that meet other members.
#define NITINOL_BLOCKS 256

// Pairs of members that one launch of nitinol_pair_move or nitinol_ll_pairs serves, at most.
#define NITINOL_PAIRS 4

// Slots that each block of nitinol_pair_move has in a stage, and the least bytes of one.
#define NITINOL_PAIR_SLOTS 4
#define NITINOL_PAIR_SLOT 64

// The control page: memory of one member, written by its peers, zeroed once before the first
// launch (on all members before any member launches). Offsets and size in bytes.
#define NITINOL_CONTROL_EPOCH 0       // u64[BLOCKS]: launches so far, all equal between launches
#define NITINOL_CONTROL_SCALAR 2048   // u64[MEMBERS]: each member's scalar, direct_reduce only
#define NITINOL_CONTROL_ABORTED 3072  // u32: not 0 once a launch has seen the abort word
#define NITINOL_CONTROL_ENTER 4096    // u64[BLOCKS][MEMBERS]: the launch that a member entered
#define NITINOL_CONTROL_LEAVE 36864   // u64[BLOCKS][MEMBERS]: the launch a member is done with
#define NITINOL_CONTROL_READY 69632   // u64[BLOCKS][MEMBERS], [0]: launch << 32 | rounds that the
                                      // next one has done
#define NITINOL_CONTROL_TAIL 102400   // u64[BLOCKS][MEMBERS], [0]: launch << 32 | slices arrived,
                                      // [1]: launch << 32 | slices that the other member took
#define NITINOL_CONTROL_PARTS 135168  // [BLOCKS][MEMBERS] lines of 16 bytes: where parts lie
#define NITINOL_CONTROL_ROOMS 200704   // likewise: where parts may be written
#define NITINOL_CONTROL_BYTES 266240

// The members that work together, and how a wait ends that has nothing to wait for any more.
typedef struct {
  nitinol_u32 size;                      // members, 1 to NITINOL_MEMBERS
  nitinol_u32 rank;                      // this member's number
  nitinol_u64 control[NITINOL_MEMBERS];  // the control page of each member
  nitinol_u64 abort;   // u32: while it is not 0, waits end; memory of the host or of the device
  nitinol_u64 status;  // u32: set to 1 + the member waited for, where a wait ended by abort
} nitinol_team;

// nitinol_local_copy, nitinol_local_reduce_TYPE_OP: the fold of the sources, from the first to the
// last, goes to every destination. A destination may be one of the sources, or overlaps none.
//
// Here and below: where destinations of one kernel differ in their address modulo 16, the first is
// read again, so let it be a near one.
typedef struct {
  nitinol_u32 sources;       // 1 to NITINOL_MEMBERS; copy: 1
  nitinol_u32 destinations;  // 1 to NITINOL_MEMBERS
  nitinol_u64 source[NITINOL_MEMBERS];
  nitinol_u64 destination[NITINOL_MEMBERS];
  nitinol_u64 count;    // elements; copy: bytes
  nitinol_u64 scalar;   // OP scaled: what a contribution is multiplied by, see "Scalars"
  nitinol_u32 scaled;   // OP scaled: bit i: source i is a contribution, still to be multiplied
  nitinol_u32 divisor;  // OP scaled, integers: what the result is divided by; 1: nothing
} nitinol_local_params;

// Scalars. The low bits of `scalar` are a number: of integers, of the type itself; of float64, a
// binary64; of every narrower float, a binary32 (not of the type). OP scaled stands for two
// operators: avg (integers: scalar 1, divisor n; floats: scalar 1/n, divisor 1) and premulsum
// (this member's scalar, divisor 1).

// nitinol_direct_reduce_TYPE_OP: the members meet, each folds its share of all members' buffers in
// the order of their ranks and stores it to its destinations, and they meet again.
//   all-reduce (two-shot): source[i], destination[i] = member i's input and output, at this share
//   reduce-scatter:        source[i] = member i's input at this rank's part; destination = output
//   reduce:                source[i] = member i's input at this share; destination = root's output
typedef struct {
  nitinol_team team;
  nitinol_u64 source[NITINOL_MEMBERS];  // by member, all of team.size
  nitinol_u64 destination[NITINOL_MEMBERS];
  nitinol_u32 destinations;  // 0: this member only meets the others
  nitinol_u32 divisor;       // as in nitinol_local_params
  nitinol_u64 count;         // elements of this member's share, 0 is allowed
  nitinol_u64 scalar;        // this member's own; the members tell each other
} nitinol_direct_reduce_params;

// nitinol_direct_move: the members meet, each moves bytes, and they meet again. Of several moves the
// last one should be within the device: it has one block of NITINOL_INNER_SHARE, beside the others.
//   all-gather: FAN, source[0] = own input, destination[i] = member i's output at this rank's part
//   broadcast:  FAN, source[0] = root's input at this share, destination[i] = member i's output at
//               this share
//   all-to-all: a move for each member, the last one for this one
//               TAKE, source = its input at this rank's part, destination = own output's part of
//               that member
//               GIVE, source = own input's part of that member, destination = its output at this
//               rank's part
#define NITINOL_INNER_SHARE 8
#define NITINOL_MOVE_TAKE 0  // source i to destination i, which is this member's own
#define NITINOL_MOVE_FAN 1   // bytes[0] of source[0] to every destination
#define NITINOL_MOVE_GIVE 2  // source i to destination i, which may be any member's
typedef struct {
  nitinol_team team;
  nitinol_u32 moves;  // FAN: destinations
  nitinol_u32 mode;   // NITINOL_MOVE_...
  nitinol_u64 source[NITINOL_MEMBERS];
  nitinol_u64 destination[NITINOL_MEMBERS];
  nitinol_u64 bytes[NITINOL_MEMBERS];
} nitinol_direct_move_params;

// nitinol_pair_move: two members send each other parts, at most NITINOL_MEMBERS in either direction.
// Each announces where the other finds what it sends, and where it may write large parts; nothing
// else needs to be agreed on but the sizes, the grid, stage_bytes and push. A part is read where it
// lies, or goes through the sender's stage; a large one that could be read where it lies is rather
// written where it goes, if it can be.
// What a member receives overlaps nothing that it sends. A launch serves several pairs of a member,
// see nitinol_pairs_params.
typedef struct {
  nitinol_team team;  // of two
  nitinol_u32 sends;
  nitinol_u32 receives;
  nitinol_u64 send[NITINOL_MEMBERS];        // parts, as this member sees them
  nitinol_u64 there[NITINOL_MEMBERS];       // as the other sees them; 0: not at all
  nitinol_u64 send_bytes[NITINOL_MEMBERS];  // > 0
  nitinol_u64 receive[NITINOL_MEMBERS];
  nitinol_u64 receive_bytes[NITINOL_MEMBERS];
  nitinol_u64 room[NITINOL_MEMBERS];  // where the other may write what is received; 0: not at all
  nitinol_u64 push;                   // bytes from which on a part is large
  nitinol_u64 stage;        // this member's, a multiple of 16
  nitinol_u64 peer_stage;   // the other's, as this member sees it
  nitinol_u64 stage_bytes;  // of each: for a block NITINOL_PAIR_SLOTS * NITINOL_PAIR_SLOT at least
} nitinol_pair_params;

// A member's pairs with several others. Each has gridDim.x blocks, and there are gridDim.y of them.
// No pair waits for another, so the other member of each may serve it in a launch of its own.
typedef struct {
  nitinol_pair_params pair[NITINOL_PAIRS];
} nitinol_pairs_params;

// The LL area of a member: 2 * team.size slots of slot_bytes, zeroed once like the control page.
// Lines of 16 bytes are 8 bytes of data and two flags, so a slot carries slot_bytes / 2. Lines of 128
// bytes are for ll128, which has an area of its own: its slots are aligned to 128 bytes, and of each
// 512 carry 480.

// nitinol_ll_reduce_TYPE_OP, nitinol_ll128_reduce_TYPE_OP: every member sends its contribution in lines with flags; each that has
// a destination folds them in the order of the ranks.
//   all-reduce (one-shot): send[i] = input, send_mask = all, destination = output
//   reduce-scatter:        send[i] = input at member i's part, send_mask = all,
//                          destination = output
//   reduce:                send[i] = input, send_mask = 1 << root,
//                          destination = output on root, else 0
typedef struct {
  nitinol_team team;
  nitinol_u64 lines[NITINOL_MEMBERS];  // the LL area of each member
  nitinol_u64 slot_bytes;              // of each slot, a multiple of 16, of 512 for ll128
  nitinol_u64 send[NITINOL_MEMBERS];   // what member i gets; [rank]: this member's own contribution
  nitinol_u64 destination;             // 0: this member gets no result
  nitinol_u64 count;                   // elements that a destination gets
  nitinol_u64 scalar;                  // as in nitinol_local_params, this member's own
  nitinol_u32 send_mask;               // bit i: member i has a destination
  nitinol_u32 divisor;                 // as in nitinol_local_params
} nitinol_ll_reduce_params;

// nitinol_ll_move, nitinol_ll128_move: every member sends each other member some bytes, or none.
typedef struct {
  nitinol_team team;
  nitinol_u64 lines[NITINOL_MEMBERS];
  nitinol_u64 slot_bytes;
  nitinol_u64 send[NITINOL_MEMBERS];        // what member i gets; [rank]: what stays here
  nitinol_u64 send_bytes[NITINOL_MEMBERS];  // at most what a slot carries
  nitinol_u64 receive[NITINOL_MEMBERS];     // where member i's bytes go
  nitinol_u64 receive_bytes[NITINOL_MEMBERS];
} nitinol_ll_move_params;

// nitinol_ll_pairs: nitinol_ll_move of several pairs at once, as in nitinol_pairs_params.
typedef struct {
  nitinol_ll_move_params pair[NITINOL_PAIRS];
} nitinol_ll_pairs_params;

// nitinol_ring_reduce_TYPE_OP: a ring in the order of the ranks, by stores into the next member's
// memory. Chunk j is [j * stride, min(j * stride + stride, count)); it is folded in the order of
// the ring, from rank j + 1 on to rank j, by slots in the scratch buffers. Then the results go round,
// stay where they are, or there is one chunk for all, from the root's neighbour on to the root.
//   all-reduce:     GATHER, stride = count / size, rounded up to a multiple of 16 bytes
//   reduce-scatter: SCATTER, stride = elements of one part, count = stride * size,
//                   output = this rank's output (of one part)
//   reduce:         CHAIN, stride = count, output on the root
// What is sent has NITINOL_RING_SLOTS slots of a slice for each block and step: a scratch buffer has
// grid * NITINOL_RING_SLOTS * slice elements, but for CHAIN size - 1 times as many.
#define NITINOL_RING_SCATTER 0
#define NITINOL_RING_GATHER 1
#define NITINOL_RING_CHAIN 2
#define NITINOL_RING_LAG 2  // rounds from a member's step to the next member's
#define NITINOL_RING_SLOTS 4
typedef struct {
  nitinol_team team;
  nitinol_u64 input;
  nitinol_u64 output;        // may be input (reduce-scatter: input at this rank's part)
  nitinol_u64 scratch;       // 16-byte aligned; the one before writes it
  nitinol_u64 next_scratch;  // the next member's
  nitinol_u64 next_output;   // the next member's; used by GATHER
  nitinol_u64 count;         // elements of the input
  nitinol_u64 stride;        // elements of a chunk
  nitinol_u64 slice;         // elements moved between two signals, > 0
  nitinol_u64 scalar;        // as in nitinol_local_params, this member's own
  nitinol_u32 divisor;       // as in nitinol_local_params
  nitinol_u32 mode;          // NITINOL_RING_...
  nitinol_u32 root;          // used by CHAIN
} nitinol_ring_reduce_params;

// nitinol_ring_gather: an all-gather round the ring. Part j of the outputs is member j's input.
typedef struct {
  nitinol_team team;
  nitinol_u64 input;        // one part; may be output at this rank's part
  nitinol_u64 output;       // size parts
  nitinol_u64 next_output;  // the next member's
  nitinol_u64 bytes;        // of one part
  nitinol_u64 slice;        // bytes moved between two signals, > 0
} nitinol_ring_gather_params;

// nitinol_ring_broadcast: slice after slice from the root along the ring, to the root's neighbour
// before.
typedef struct {
  nitinol_team team;
  nitinol_u64 input;        // on the root
  nitinol_u64 output;       // may be input on the root
  nitinol_u64 next_output;  // the next member's
  nitinol_u64 bytes;
  nitinol_u64 slice;  // bytes moved between two signals, > 0
  nitinol_u32 root;
} nitinol_ring_broadcast_params;

// Sizes in bytes, for the layouts on the host's side.
#ifdef __cplusplus
#define NITINOL_SIZE(TYPE, BYTES) static_assert(sizeof(TYPE) == BYTES, #TYPE)
#else
#define NITINOL_SIZE(TYPE, BYTES) _Static_assert(sizeof(TYPE) == BYTES, #TYPE)
#endif
NITINOL_SIZE(nitinol_team, 152);
NITINOL_SIZE(nitinol_local_params, 288);
NITINOL_SIZE(nitinol_direct_reduce_params, 432);
NITINOL_SIZE(nitinol_direct_move_params, 544);
NITINOL_SIZE(nitinol_pair_params, 960);
NITINOL_SIZE(nitinol_pairs_params, 3840);
NITINOL_SIZE(nitinol_ll_reduce_params, 448);
NITINOL_SIZE(nitinol_ll_move_params, 800);
NITINOL_SIZE(nitinol_ll_pairs_params, 3200);
NITINOL_SIZE(nitinol_ring_reduce_params, 240);
NITINOL_SIZE(nitinol_ring_gather_params, 192);
NITINOL_SIZE(nitinol_ring_broadcast_params, 200);

#ifdef __cplusplus
}
#endif

#endif
