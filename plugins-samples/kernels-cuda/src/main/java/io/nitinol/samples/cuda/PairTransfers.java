// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.samples.cuda.ffi.nitinol_direct_move_params;
import io.nitinol.samples.cuda.ffi.nitinol_ll_move_params;
import io.nitinol.samples.cuda.ffi.params_h;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.TeamTransfer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends and receives: each pair of ranks is a team of two with memory of its own, so that other
 * ranks need not take part. Transfers with several peers run on a stream for each, so that one does
 * not wait for another. Both ends of a pair know the sizes of both directions, and so cut and pack
 * them alike.
 */
final class PairTransfers {
  private static final int NONE = -1;
  private static final int SEND = 0;
  private static final int RECEIVE = 1;
  private static final long VECTOR = 16;
  private static final long LL_ROUND = 8 * LaunchArguments.THREADS;
  private static final long ROUND = 2 * VECTOR * LaunchArguments.THREADS;

  private final Device device;
  private final CudaContext context;
  private final KernelModules modules;
  private final TeamPlace place;
  private final boolean sideBySide;
  private final int blocks;
  private final long mostLl;
  private final long stage;

  /** By peer; null for this rank itself. */
  private final LaunchArguments[] moves;

  private final LaunchArguments[] lines;

  /** By peer; null until transfers with several peers first need it. */
  private final @Nullable CudaStream[] streams;

  private final @Nullable CudaEvent[] ends;
  private @Nullable CudaEvent begin;

  /** By direction and peer: the first and last transfer in the list, and how many there are. */
  private final int[][] heads;

  private final int[][] tails;
  private final int[][] counts;
  private final long[][] bytes;

  /** By transfer: the next one of the same direction and peer. */
  private final int[] followers = new int[DeviceTeam.MAX_TRANSFERS];

  /**
   * Prepares the pairs of a rank.
   *
   * @param blocks of a kernel at the most, all pairs of this rank together
   * @param sideBySide whether pairs run on streams of their own; else one after the other, in an
   *     order that is the same for all ranks
   */
  PairTransfers(
      Device device,
      CudaContext context,
      KernelModules modules,
      TeamPlace place,
      int blocks,
      boolean sideBySide,
      Arena arena) {
    this.device = device;
    this.sideBySide = sideBySide;
    this.context = context;
    this.modules = modules;
    this.place = place;
    int ranks = place.ranks();
    this.blocks = Math.max(1, blocks / Math.max(1, ranks - 1));
    this.mostLl = place.layout().sizes().pairSlot() / 2;
    this.stage = place.layout().sizes().pairStage();
    moves = new LaunchArguments[ranks];
    lines = new LaunchArguments[ranks];
    streams = new CudaStream[ranks];
    ends = new CudaEvent[ranks];
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
    moves[peer] = new LaunchArguments(arena, nitinol_direct_move_params.layout());
    lines[peer] = new LaunchArguments(arena, nitinol_ll_move_params.layout());
    place.fillPair(nitinol_direct_move_params.team(moves[peer].struct()), peer);
    nitinol_direct_move_params.fan(moves[peer].struct(), 0);
    MemorySegment p = lines[peer].struct();
    place.fillPair(nitinol_ll_move_params.team(p), peer);
    nitinol_ll_move_params.slot_bytes(p, place.layout().sizes().pairSlot());
    int own = place.memberOfPair(peer);
    nitinol_ll_move_params.lines(
        p, own, place.bases()[place.rank()] + place.layout().pairLines(peer));
    nitinol_ll_move_params.lines(
        p, 1 - own, place.bases()[peer] + place.layout().pairLines(place.rank()));
  }

  private CudaStream stream(int peer) {
    CudaStream known = streams[peer];
    if (known == null) {
      known = CudaStream.create(device, context, false);
      streams[peer] = known;
    }
    return known;
  }

  private CudaEvent end(int peer) {
    CudaEvent known = ends[peer];
    if (known == null) {
      known = CudaEvent.create(device, context, false);
      ends[peer] = known;
    }
    return known;
  }

  private CudaEvent begin() {
    CudaEvent known = begin;
    if (known == null) {
      known = CudaEvent.create(device, context, false);
      begin = known;
    }
    return known;
  }

  /**
   * Sorts transfers by peer and checks them; nothing is launched.
   *
   * @throws io.nitinol.spi.device.v1.DeviceException with INVALID_ARGUMENT for a peer that is not
   *     in the team, or where what a rank sends to itself is not what it receives
   */
  private void sort(List<TeamTransfer> transfers) {
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

  /** Puts transfers into a stream; the thread is in the context. */
  void put(CudaStream stream, List<TeamTransfer> transfers) {
    sort(transfers);
    int peers = 0;
    for (int r = 0; r < place.ranks(); r++) {
      peers += isNamed(r) ? 1 : 0;
    }
    if (peers > 1 && sideBySide) {
      putSideBySide(stream, transfers);
    } else {
      // In the order of pairs by their lower rank, then the other one: all ranks have that order.
      for (int r = 0; r < place.ranks(); r++) {
        if (isNamed(r)) {
          pair(stream, transfers, r);
        }
      }
    }
    copyToSelf(stream, transfers);
  }

  private void putSideBySide(CudaStream stream, List<TeamTransfer> transfers) {
    stream.recordHere(begin().handle());
    for (int r = 0; r < place.ranks(); r++) {
      if (isNamed(r)) {
        CudaStream own = stream(r);
        own.awaitHere(begin().handle());
        pair(own, transfers, r);
        own.recordHere(end(r).handle());
      }
    }
    for (int r = 0; r < place.ranks(); r++) {
      if (isNamed(r)) {
        stream.awaitHere(end(r).handle());
      }
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
        stream.copyHere(to.address(), from.address(), from.size());
      }
      r = followers[r];
    }
  }

  private void pair(CudaStream stream, List<TeamTransfer> transfers, int peer) {
    boolean single = counts[SEND][peer] <= 1 && counts[RECEIVE][peer] <= 1;
    if (single && Math.max(bytes[SEND][peer], bytes[RECEIVE][peer]) <= mostLl) {
      byFlags(stream, transfers, peer);
    } else {
      byStage(stream, transfers, peer);
    }
  }

  private int blocks(int peer, long round) {
    long most = Math.min(stage, Math.max(bytes[SEND][peer], bytes[RECEIVE][peer]));
    return (int) Math.max(1, Math.min((most + round - 1) / round, blocks));
  }

  private void byFlags(CudaStream stream, List<TeamTransfer> transfers, int peer) {
    int s = heads[SEND][peer];
    int r = heads[RECEIVE][peer];
    int other = 1 - place.memberOfPair(peer);
    MemorySegment p = lines[peer].struct();
    nitinol_ll_move_params.send(p, other, s == NONE ? 0 : transfers.get(s).address());
    nitinol_ll_move_params.send_bytes(p, other, bytes[SEND][peer]);
    nitinol_ll_move_params.receive(p, other, r == NONE ? 0 : transfers.get(r).address());
    nitinol_ll_move_params.receive_bytes(p, other, bytes[RECEIVE][peer]);
    lines[peer].launch(
        context, modules.move(KernelFamily.LL, 0), blocks(peer, LL_ROUND), stream.handle());
  }

  /**
   * Goes through the senders' stages, piece by piece: a rank packs up to 16 parts of what it sends
   * into its stage, and the kernel of its peer takes them from there.
   */
  private void byStage(CudaStream stream, List<TeamTransfer> transfers, int peer) {
    long ownStage = place.bases()[place.rank()] + place.layout().pairStage(peer);
    long theirStage = place.bases()[peer] + place.layout().pairStage(place.rank());
    int grid = blocks(peer, ROUND);
    MemorySegment p = moves[peer].struct();
    int s = heads[SEND][peer];
    int r = heads[RECEIVE][peer];
    long sent = 0;
    long received = 0;
    do {
      long fill = 0;
      for (int parts = 0; s != NONE && parts < params_h.NITINOL_MEMBERS() && fill < stage; ) {
        TeamTransfer transfer = transfers.get(s);
        long n = Math.min(transfer.size() - sent, stage - fill);
        if (n > 0) {
          stream.copyHere(ownStage + fill, transfer.address() + sent, n);
          fill += (n + VECTOR - 1) / VECTOR * VECTOR;
          parts++;
        }
        sent += n;
        if (sent == transfer.size()) {
          s = followers[s];
          sent = 0;
        }
      }
      fill = 0;
      int parts = 0;
      while (r != NONE && parts < params_h.NITINOL_MEMBERS() && fill < stage) {
        TeamTransfer transfer = transfers.get(r);
        long n = Math.min(transfer.size() - received, stage - fill);
        if (n > 0) {
          nitinol_direct_move_params.source(p, parts, theirStage + fill);
          nitinol_direct_move_params.destination(p, parts, transfer.address() + received);
          nitinol_direct_move_params.bytes(p, parts, n);
          fill += (n + VECTOR - 1) / VECTOR * VECTOR;
          parts++;
        }
        received += n;
        if (received == transfer.size()) {
          r = followers[r];
          received = 0;
        }
      }
      nitinol_direct_move_params.moves(p, parts);
      moves[peer].launch(context, modules.move(KernelFamily.DIRECT, 0), grid, stream.handle());
    } while (s != NONE || r != NONE);
  }

  /** Frees streams and events. */
  void close() {
    if (begin != null) {
      begin.close();
    }
    for (int r = 0; r < place.ranks(); r++) {
      CudaEvent end = ends[r];
      if (end != null) {
        end.close();
      }
      CudaStream stream = streams[r];
      if (stream != null) {
        stream.close();
      }
    }
  }
}
