// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.samples.cuda.ffi.nitinol_ll_move_params;
import io.nitinol.samples.cuda.ffi.nitinol_ll_pairs_params;
import io.nitinol.samples.cuda.ffi.nitinol_pair_params;
import io.nitinol.samples.cuda.ffi.nitinol_pairs_params;
import io.nitinol.samples.cuda.ffi.params_h;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.TeamTransfer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/**
 * Sends and receives: each pair of ranks is a team of two with memory of its own, so that other
 * ranks need not take part. Both ends of a pair know the sizes of both directions, and so launch
 * alike. Transfers with several peers are one launch where they take as many blocks each, as in a
 * ring; its blocks belong to one pair each, so no pair waits for another. Otherwise they run on
 * several streams.
 *
 * <p>A single transfer of few bytes goes in lines with flags. Any other is read by the receiver
 * where it lies, if the sender knows where the receiver finds it, and otherwise goes through the
 * sender's stage; the two kernels tell each other which.
 */
final class CudaPairTransfers {
  private static final int NONE = -1;
  private static final int SEND = 0;
  private static final int RECEIVE = 1;
  private static final long VECTOR = 16;

  /** From so many bytes on the sender writes what goes to memory that it reaches. */
  private static final long PUSHED = 16 << 20;

  private static final long ROUND = 2 * VECTOR * LaunchArguments.THREADS;

  private final CudaContext context;
  private final KernelModules modules;
  private final TeamPlace place;
  private final PeerReach reach;
  private final int teamBlocks;

  /** Of one pair at the most. */
  private final int blocks;

  private final long mostLl;
  private final long stage;

  /** By peer, what stays the same in its part of a launch; null for this rank itself. */
  private final MemorySegment[] parts;

  private final MemorySegment[] lines;

  private final LaunchArguments partsLaunch;
  private final LinesLaunch linesLaunch;

  private final PairStreams streams;

  /** By peer: the first one of those that it shares a launch with. */
  private final int[] leaders;

  /** By direction and peer: the first and last transfer in the list, and how many there are. */
  private final int[][] heads;

  private final int[][] tails;
  private final int[][] counts;
  private final long[][] bytes;

  /** Whether the driver has taken a part of the launch under way. */
  private boolean begun;

  /** The first transfers of the pair under way that no launch has yet. */
  private int nextSend;

  private int nextReceive;

  /** By transfer: the next one of the same direction and peer. */
  private final int[] followers = new int[DeviceTeam.MAX_TRANSFERS];

  /**
   * Prepares the pairs of a rank.
   *
   * @param blocks of a kernel at the most, all pairs of this rank together
   * @param reach where other ranks find what this one sends
   * @param streams those on which pairs run side by side, which this object closes. Where there are
   *     none, they run one after the other, in an order that is the same for all ranks. Some ranks
   *     may have streams and others not: the pair that is first in that order waits for nobody
   * @param overlaps whether the device lets a launch begin before the last one ends
   */
  CudaPairTransfers(
      CudaContext context,
      KernelModules modules,
      TeamPlace place,
      int blocks,
      PeerReach reach,
      PairStreams streams,
      boolean overlaps,
      Arena arena) {
    this.streams = streams;
    this.context = context;
    this.modules = modules;
    this.place = place;
    this.reach = reach;
    int ranks = place.ranks();
    this.mostLl = place.layout().sizes().pairSlot() / 2;
    this.stage = place.layout().sizes().pairStage();
    this.teamBlocks = blocks;
    long share = Math.max(1, blocks / Math.max(1, ranks - 1));
    this.blocks = (int) Math.min(share, stage / TeamSizes.LEAST_STAGE);
    parts = new MemorySegment[ranks];
    lines = new MemorySegment[ranks];
    leaders = new int[ranks];
    partsLaunch = new LaunchArguments(arena, nitinol_pairs_params.layout());
    linesLaunch =
        new LinesLaunch(
            context, arena, nitinol_ll_pairs_params.layout(), false, this.blocks, overlaps);
    heads = new int[2][ranks];
    tails = new int[2][ranks];
    counts = new int[2][ranks];
    bytes = new long[2][ranks];
    for (int r = 0; r < ranks; r++) {
      if (r != place.rank()) {
        prepare(r, arena);
      }
    }
  }

  private void prepare(int peer, Arena arena) {
    parts[peer] = nitinol_pair_params.allocate(arena);
    lines[peer] = nitinol_ll_move_params.allocate(arena);
    MemorySegment s = parts[peer];
    place.fillPair(nitinol_pair_params.team(s), peer);
    nitinol_pair_params.stage(s, place.bases()[place.rank()] + place.layout().pairStage(peer));
    nitinol_pair_params.peer_stage(s, place.bases()[peer] + place.layout().pairStage(place.rank()));
    nitinol_pair_params.stage_bytes(s, stage);
    nitinol_pair_params.push(s, PUSHED);
    MemorySegment p = lines[peer];
    place.fillPair(nitinol_ll_move_params.team(p), peer);
    nitinol_ll_move_params.slot_bytes(p, place.layout().sizes().pairSlot());
    int own = place.memberOfPair(peer);
    nitinol_ll_move_params.lines(
        p, own, place.bases()[place.rank()] + place.layout().pairLines(peer));
    nitinol_ll_move_params.lines(
        p, 1 - own, place.bases()[peer] + place.layout().pairLines(place.rank()));
  }

  /**
   * Sorts transfers by peer and checks all that can be wrong with them; nothing is launched.
   *
   * @throws io.nitinol.spi.device.v1.DeviceException with INVALID_ARGUMENT for a peer that is not
   *     in the team, or where what a rank sends to itself is not what it receives
   */
  void sort(List<TeamTransfer> transfers) {
    for (int direction = SEND; direction <= RECEIVE; direction++) {
      Arrays.fill(heads[direction], NONE);
      Arrays.fill(counts[direction], 0);
      Arrays.fill(bytes[direction], 0);
    }
    for (int i = 0; i < transfers.size(); i++) {
      TeamTransfer transfer = CudaFailures.notNull(transfers.get(i), "a transfer");
      int peer = transfer.peer();
      if (peer >= place.ranks()) {
        throw CudaFailures.invalid("peer %d of a team of %d", peer, place.ranks());
      }
      int direction = transfer.direction() == TeamTransfer.Direction.SEND ? SEND : RECEIVE;
      if (heads[direction][peer] == NONE) {
        heads[direction][peer] = i;
      } else {
        followers[tails[direction][peer]] = i;
      }
      followers[i] = NONE;
      tails[direction][peer] = i;
      counts[direction][peer]++;
      if (transfer.size() > Long.MAX_VALUE - bytes[direction][peer]) {
        throw CudaFailures.invalid("the transfers with rank %d are more than 2^63 bytes", peer);
      }
      bytes[direction][peer] += transfer.size();
    }
    int s = heads[SEND][place.rank()];
    int r = heads[RECEIVE][place.rank()];
    while (s != NONE && r != NONE && transfers.get(s).size() == transfers.get(r).size()) {
      s = followers[s];
      r = followers[r];
    }
    if (s != NONE || r != NONE) {
      throw CudaFailures.invalid(
          "sends of rank %d to itself differ from its receives", place.rank());
    }
  }

  /** Returns whether the driver had taken a part of the last launch when that failed. */
  boolean isPartial() {
    return begun;
  }

  /**
   * Puts the transfers that were sorted last into a stream; the thread is in the context.
   *
   * @throws io.nitinol.spi.device.v1.DeviceException where the driver refuses; {@link #isPartial}
   *     says whether it has taken some
   */
  void launch(CudaStream stream, List<TeamTransfer> transfers) {
    begun = false;
    CudaEvent begin = group() > 1 ? streams.begin() : null;
    if (begin != null) {
      stream.recordHere(begin.handle());
    }
    // In the order of pairs by their lower rank, then the other one: all ranks have that order.
    for (int r = 0; r < place.ranks(); r++) {
      if (!isLeader(r)) {
        continue;
      }
      if (begin == null) {
        launchGroup(stream, transfers, r);
      } else {
        PairStreams.Pair own = streams.of(r);
        own.stream().awaitHere(begin.handle());
        launchGroup(own.stream(), transfers, r);
        own.stream().recordHere(own.end().handle());
      }
    }
    for (int r = 0; begin != null && r < place.ranks(); r++) {
      if (isLeader(r)) {
        stream.awaitHere(streams.of(r).end().handle());
      }
    }
    copyToSelf(stream, transfers);
  }

  /**
   * Says which pairs share a launch: neighbours in the order that take as many blocks of as many
   * threads, all together no more than the team has. Returns how many launches that is.
   */
  int group() {
    int groups = 0;
    int last = NONE;
    int size = 0;
    for (int r = 0; r < place.ranks(); r++) {
      leaders[r] = NONE;
      if (isNamed(r)) {
        boolean room =
            last != NONE && size < params_h.NITINOL_PAIRS() && (size + 1) * grid(r) <= teamBlocks;
        if (room && isAlike(last, r)) {
          leaders[r] = leaders[last];
          size++;
        } else {
          leaders[r] = r;
          size = 1;
          groups++;
        }
        last = r;
      }
    }
    return groups;
  }

  /** Returns the first peer of those that share a launch with this one; -1 where it has none. */
  int leader(int peer) {
    return leaders[peer];
  }

  private boolean isLeader(int peer) {
    return leaders[peer] == peer;
  }

  private boolean isAlike(int one, int other) {
    if (grid(one) != grid(other) || isShort(one) != isShort(other)) {
      return false;
    }
    return isShort(one)
        ? LinesLaunch.threads(false, most(one), blocks)
            == LinesLaunch.threads(false, most(other), blocks)
        : isWhole(one) && isWhole(other);
  }

  /** Returns the blocks that a pair takes, where its transfers are one launch. */
  private int grid(int peer) {
    return isShort(peer) ? LinesLaunch.grid(false, most(peer), blocks) : blocks(most(peer), ROUND);
  }

  /** Returns whether transfers with a peer go in lines with flags. */
  private boolean isShort(int peer) {
    return counts[SEND][peer] <= 1 && counts[RECEIVE][peer] <= 1 && most(peer) <= mostLl;
  }

  /** Returns whether transfers with a peer go in one launch. */
  private boolean isWhole(int peer) {
    return Math.max(counts[SEND][peer], counts[RECEIVE][peer]) <= params_h.NITINOL_MEMBERS();
  }

  /** Returns the bytes of the direction that has more. */
  private long most(int peer) {
    return Math.max(bytes[SEND][peer], bytes[RECEIVE][peer]);
  }

  private void launchGroup(CudaStream stream, List<TeamTransfer> transfers, int leader) {
    if (isShort(leader)) {
      byFlags(stream, transfers, leader);
    } else {
      byParts(stream, transfers, leader);
    }
  }

  private boolean isNamed(int peer) {
    return peer != place.rank() && (heads[SEND][peer] != NONE || heads[RECEIVE][peer] != NONE);
  }

  private void copyToSelf(CudaStream stream, List<TeamTransfer> transfers) {
    int r = heads[RECEIVE][place.rank()];
    for (int s = heads[SEND][place.rank()]; s != NONE; s = followers[s]) {
      TeamTransfer from = transfers.get(s);
      TeamTransfer to = transfers.get(r);
      if (from.size() > 0 && from.address() != to.address()) {
        copy(stream, to.address(), from.address(), from.size());
      }
      r = followers[r];
    }
  }

  private void copy(CudaStream stream, long dst, long src, long size) {
    stream.copyHere(dst, src, size);
    begun = true;
  }

  private int blocks(long bytes, long round) {
    return (int) Math.max(1, Math.min((bytes + round - 1) / round, blocks));
  }

  private void byFlags(CudaStream stream, List<TeamTransfer> transfers, int leader) {
    int pairs = 0;
    for (int peer = leader; peer < place.ranks(); peer++) {
      if (leaders[peer] == leader) {
        MemorySegment p = nitinol_ll_pairs_params.pair(linesLaunch.struct(), pairs++);
        p.copyFrom(lines[peer]);
        int s = heads[SEND][peer];
        int r = heads[RECEIVE][peer];
        int other = 1 - place.memberOfPair(peer);
        nitinol_ll_move_params.send(p, other, s == NONE ? 0 : transfers.get(s).address());
        nitinol_ll_move_params.send_bytes(p, other, bytes[SEND][peer]);
        nitinol_ll_move_params.receive(p, other, r == NONE ? 0 : transfers.get(r).address());
        nitinol_ll_move_params.receive_bytes(p, other, bytes[RECEIVE][peer]);
      }
    }
    MemorySegment kernel = modules.move(KernelFamily.LL, KernelFamily.PAIRS);
    linesLaunch.launch(kernel, most(leader), pairs, stream.handle());
    begun = true;
  }

  /** Moves whole transfers, up to 16 of each direction of a pair in a launch. */
  private void byParts(CudaStream stream, List<TeamTransfer> transfers, int leader) {
    int pairs = 0;
    long most = 0;
    for (int peer = leader; peer < place.ranks(); peer++) {
      if (leaders[peer] == leader) {
        nextSend = heads[SEND][peer];
        nextReceive = heads[RECEIVE][peer];
        long size = fill(peer, pairs, transfers);
        most = Math.max(most, size);
        pairs += size > 0 ? 1 : 0;
      }
    }
    launchParts(stream, most, pairs);
    // A pair of more transfers is alone in its group.
    while (nextSend != NONE || nextReceive != NONE) {
      long size = fill(leader, 0, transfers);
      launchParts(stream, size, size > 0 ? 1 : 0);
    }
  }

  private void launchParts(CudaStream stream, long most, int pairs) {
    if (pairs > 0) {
      MemorySegment kernel = modules.move(KernelFamily.DIRECT, KernelFamily.PAIR);
      partsLaunch.launch(
          context, kernel, blocks(most, ROUND), pairs, LaunchArguments.THREADS, stream.handle());
      begun = true;
    }
  }

  /**
   * Fills a pair's place in the parameters with the next transfers of it.
   *
   * @return the bytes of the direction that has more; 0 where a launch would have nothing to do
   */
  private long fill(int peer, int at, List<TeamTransfer> transfers) {
    MemorySegment p = nitinol_pairs_params.pair(partsLaunch.struct(), at);
    p.copyFrom(parts[peer]);
    long sent = 0;
    int sends = 0;
    for (; nextSend != NONE && sends < params_h.NITINOL_MEMBERS(); nextSend = followers[nextSend]) {
      TeamTransfer transfer = transfers.get(nextSend);
      long size = transfer.size();
      if (size > 0) {
        long address = transfer.address();
        nitinol_pair_params.send(p, sends, address);
        nitinol_pair_params.there(p, sends, reach.of(peer, address, size));
        nitinol_pair_params.send_bytes(p, sends, size);
        sends++;
        sent += size;
      }
    }
    long received = 0;
    int receives = 0;
    for (;
        nextReceive != NONE && receives < params_h.NITINOL_MEMBERS();
        nextReceive = followers[nextReceive]) {
      TeamTransfer transfer = transfers.get(nextReceive);
      if (transfer.size() > 0) {
        nitinol_pair_params.receive(p, receives, transfer.address());
        nitinol_pair_params.receive_bytes(p, receives, transfer.size());
        boolean large = transfer.size() >= PUSHED;
        nitinol_pair_params.room(
            p, receives, large ? reach.of(peer, transfer.address(), transfer.size()) : 0);
        receives++;
        received += transfer.size();
      }
    }
    nitinol_pair_params.sends(p, sends);
    nitinol_pair_params.receives(p, receives);
    return Math.max(sent, received);
  }

  /** Frees streams and events. */
  void close() {
    streams.close();
  }
}
