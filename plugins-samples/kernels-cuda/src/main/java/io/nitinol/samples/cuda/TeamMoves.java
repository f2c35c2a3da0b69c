// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.samples.cuda.ffi.nitinol_direct_move_params;
import io.nitinol.samples.cuda.ffi.nitinol_ll_move_params;
import io.nitinol.samples.cuda.ffi.nitinol_ring_broadcast_params;
import io.nitinol.samples.cuda.ffi.nitinol_ring_gather_params;
import io.nitinol.samples.cuda.ffi.params_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The moves of a team that reduce nothing, as launches of kernels, and of copies where data lie in
 * no window. All methods are called by a thread that is in the device's context, with counts above
 * 0 and at least two ranks. None allocates.
 *
 * <p>Data in no window are cut into pieces of the stage. A piece goes into this rank's stage, where
 * the kernel of every rank reads it, or comes out of it. No kernel ends before the others have read
 * this rank's stage, so the next piece may overwrite it.
 */
final class TeamMoves {
  /** From so many bytes on each rank writes into the others' memory, as stores go faster. */
  private static final long GIVEN = 16 << 20;

  private final CudaContext context;
  private final KernelModules modules;
  private final TeamPlace place;
  private final TeamPieces pieces;
  private final LinesLaunch[] lines;
  private final LaunchArguments directMove;
  private final LaunchArguments ringGather;
  private final LaunchArguments ringBroadcast;

  TeamMoves(
      CudaContext context,
      KernelModules modules,
      TeamPlace place,
      int blocks,
      boolean overlaps,
      Arena arena) {
    this.context = context;
    this.modules = modules;
    this.place = place;
    this.pieces = new TeamPieces(place, blocks);
    directMove = new LaunchArguments(arena, nitinol_direct_move_params.layout());
    ringGather = new LaunchArguments(arena, nitinol_ring_gather_params.layout());
    ringBroadcast = new LaunchArguments(arena, nitinol_ring_broadcast_params.layout());
    place.fill(nitinol_direct_move_params.team(directMove.struct()));
    place.fill(nitinol_ring_gather_params.team(ringGather.struct()));
    place.fill(nitinol_ring_broadcast_params.team(ringBroadcast.struct()));
    lines = new LinesLaunch[2];
    for (int i = 0; i < 2; i++) {
      boolean isLong = i == 1;
      lines[i] =
          new LinesLaunch(
              context, arena, nitinol_ll_move_params.layout(), isLong, blocks, overlaps);
      MemorySegment p = lines[i].struct();
      place.fill(nitinol_ll_move_params.team(p));
      nitinol_ll_move_params.slot_bytes(
          p, isLong ? place.layout().longSlot() : place.layout().sizes().slot());
      for (int r = 0; r < place.ranks(); r++) {
        nitinol_ll_move_params.lines(p, r, isLong ? place.longLines(r) : place.lines(r));
      }
    }
  }

  private LinesLaunch lines(KernelFamily family) {
    return lines[family == KernelFamily.LL128 ? 1 : 0];
  }

  void llAllGather(KernelFamily lines, CudaStream stream, long src, long dst, long size) {
    MemorySegment p = lines(lines).struct();
    for (int r = 0; r < place.ranks(); r++) {
      long to = dst + r * size;
      // In place nothing stays to be moved here.
      boolean moves = r != place.rank() || src != to;
      llMove(p, r, src, moves ? size : 0, to, moves ? size : 0);
    }
    llMove(lines, stream, size);
  }

  void llBroadcast(KernelFamily lines, CudaStream stream, long src, long dst, long size, int root) {
    MemorySegment p = lines(lines).struct();
    boolean isRoot = place.rank() == root;
    for (int r = 0; r < place.ranks(); r++) {
      boolean own = r == place.rank();
      boolean sends = isRoot && (!own || src != dst);
      boolean takes = r == root && (!own || src != dst);
      llMove(p, r, src, sends ? size : 0, dst, takes ? size : 0);
    }
    llMove(lines, stream, size);
  }

  void llAllToAll(KernelFamily lines, CudaStream stream, long src, long dst, long size) {
    MemorySegment p = lines(lines).struct();
    for (int r = 0; r < place.ranks(); r++) {
      llMove(p, r, src + r * size, size, dst + r * size, size);
    }
    llMove(lines, stream, size);
  }

  private static void llMove(MemorySegment p, int r, long from, long sent, long to, long received) {
    nitinol_ll_move_params.send(p, r, from);
    nitinol_ll_move_params.send_bytes(p, r, sent);
    nitinol_ll_move_params.receive(p, r, to);
    nitinol_ll_move_params.receive_bytes(p, r, received);
  }

  private void llMove(KernelFamily lines, CudaStream stream, long size) {
    // Threads share the lines of all other ranks.
    lines(lines).launch(modules.move(lines, 0), size * (place.ranks() - 1), stream.handle());
  }

  void directAllGather(CudaStream stream, long src, long dst, @Nullable CudaWindow out, long size) {
    int ranks = place.ranks();
    int rank = place.rank();
    long most = out != null ? size : pieces.piece(1, ranks);
    for (long at = 0; at < size; at += most) {
      long n = Math.min(most, size - at);
      long pitch = TeamPieces.roundUp(n, TeamPieces.PITCH);
      MemorySegment p = directMove.struct();
      nitinol_direct_move_params.source(p, 0, src + at);
      nitinol_direct_move_params.bytes(p, 0, n);
      int moves = 0;
      for (int r = 0; r < ranks; r++) {
        long to =
            out != null ? out.of(r, dst) + rank * size + at : place.stageOut(r) + rank * pitch;
        if (to != src + at) {
          nitinol_direct_move_params.destination(p, moves++, to);
        }
      }
      directMove(stream, params_h.NITINOL_MOVE_FAN(), moves, n);
      for (int r = 0; out == null && r < ranks; r++) {
        if (r != rank || src != dst + rank * size) {
          stream.copyHere(dst + r * size + at, place.stageOut(rank) + r * pitch, n);
        }
      }
    }
  }

  void directBroadcast(
      CudaStream stream,
      long src,
      @Nullable CudaWindow in,
      long dst,
      @Nullable CudaWindow out,
      long size,
      int root) {
    long most = in != null && out != null ? size : pieces.piece(1, 1);
    for (long at = 0; at < size; at += most) {
      long n = Math.min(most, size - at);
      if (in == null && place.rank() == root) {
        stream.copyHere(place.stageIn(root), src + at, n);
      }
      // Of more than two ranks the root moves all to its own output, and the others their shares.
      boolean own = place.ranks() > 2 && place.rank() == root;
      long first = own ? 0 : TeamPieces.first(n, 1, pieces.shares(), pieces.shareOf(root));
      long from = (in != null ? in.of(root, src) + at : place.stageIn(root)) + first;
      MemorySegment p = directMove.struct();
      nitinol_direct_move_params.source(p, 0, from);
      int moves = 0;
      for (int r = 0; r < place.ranks(); r++) {
        long to = (out != null ? out.of(r, dst) + at : place.stageOut(r)) + first;
        boolean mine = own ? r == root && out != null : place.ranks() <= 2 || r != root;
        if (to != from && mine) {
          nitinol_direct_move_params.destination(p, moves++, to);
        }
      }
      long share = own ? n : TeamPieces.share(n, 1, pieces.shares(), pieces.shareOf(root));
      nitinol_direct_move_params.bytes(p, 0, moves == 0 ? 0 : share);
      directMove(stream, params_h.NITINOL_MOVE_FAN(), moves, TeamPieces.ceil(n, pieces.shares()));
      if (out == null && (place.rank() != root || src != dst)) {
        stream.copyHere(dst + at, own ? src + at : place.stageOut(place.rank()), n);
      }
    }
  }

  void directAllToAll(
      CudaStream stream,
      long src,
      @Nullable CudaWindow in,
      long dst,
      @Nullable CudaWindow out,
      long size) {
    int ranks = place.ranks();
    int rank = place.rank();
    boolean gives = out != null && size >= GIVEN / ranks;
    long most = gives || in != null ? size : pieces.piece(1, ranks);
    for (long at = 0; at < size; at += most) {
      long n = Math.min(most, size - at);
      long pitch = TeamPieces.roundUp(n, TeamPieces.PITCH);
      MemorySegment p = directMove.struct();
      for (int i = 0; i < ranks; i++) {
        // Each rank begins with another one, so that all links are busy, and ends with itself.
        int r = (rank + 1 + i) % ranks;
        long from;
        long to = dst + r * size + at;
        if (out != null && gives) {
          from = src + r * size;
          to = out.of(r, dst) + rank * size;
        } else if (in != null) {
          from = in.of(r, src) + rank * size + at;
        } else {
          stream.copyHere(place.stageIn(rank) + r * pitch, src + r * size + at, n);
          from = place.stageIn(r) + rank * pitch;
        }
        nitinol_direct_move_params.source(p, i, from);
        nitinol_direct_move_params.destination(p, i, to);
        nitinol_direct_move_params.bytes(p, i, n);
      }
      int mode = gives ? params_h.NITINOL_MOVE_GIVE() : params_h.NITINOL_MOVE_TAKE();
      directMove(stream, mode, ranks, n);
    }
  }

  private void directMove(CudaStream stream, int mode, int moves, long most) {
    MemorySegment p = directMove.struct();
    nitinol_direct_move_params.mode(p, mode);
    nitinol_direct_move_params.moves(p, moves);
    directMove.launch(
        context,
        modules.move(KernelFamily.DIRECT, 0),
        pieces.blocks(most, TeamPieces.ROUND),
        stream.handle());
  }

  void ringAllGather(CudaStream stream, long src, long dst, @Nullable CudaWindow out, long size) {
    int ranks = place.ranks();
    int rank = place.rank();
    long most = out != null ? size : pieces.piece(1, ranks);
    for (long at = 0; at < size; at += most) {
      long n = Math.min(most, size - at);
      int grid = pieces.blocks(n, TeamPieces.RING_ROUND);
      MemorySegment p = ringGather.struct();
      nitinol_ring_gather_params.input(p, src + at);
      nitinol_ring_gather_params.output(p, out != null ? dst : place.stageOut(rank));
      nitinol_ring_gather_params.next_output(
          p, out != null ? out.of(place.next(), dst) : place.stageOut(place.next()));
      nitinol_ring_gather_params.bytes(p, n);
      nitinol_ring_gather_params.slice(p, TeamPieces.slice(n, grid));
      ringGather.launch(
          context, modules.move(KernelFamily.RING, KernelFamily.GATHER), grid, stream.handle());
      for (int r = 0; out == null && r < ranks; r++) {
        if (r != rank || src != dst + rank * size) {
          stream.copyHere(dst + r * size + at, place.stageOut(rank) + r * n, n);
        }
      }
    }
  }

  void ringBroadcast(
      CudaStream stream, long src, long dst, @Nullable CudaWindow out, long size, int root) {
    int rank = place.rank();
    int next = place.next();
    long most = out != null ? size : pieces.piece(1, 1);
    for (long at = 0; at < size; at += most) {
      long n = Math.min(most, size - at);
      int grid = pieces.blocks(n, TeamPieces.RING_ROUND);
      // Nobody writes to the root, so its output need not be where others find it.
      boolean local = out != null || rank == root;
      MemorySegment p = ringBroadcast.struct();
      nitinol_ring_broadcast_params.input(p, src + at);
      nitinol_ring_broadcast_params.output(p, local ? dst + at : place.stageOut(rank));
      nitinol_ring_broadcast_params.next_output(
          p, out != null ? out.of(next, dst) + at : place.stageOut(next));
      nitinol_ring_broadcast_params.bytes(p, n);
      nitinol_ring_broadcast_params.slice(
          p, place.ranks() > 2 ? TeamPieces.chainSlice(n, grid) : TeamPieces.slice(n, grid));
      nitinol_ring_broadcast_params.root(p, root);
      ringBroadcast.launch(
          context, modules.move(KernelFamily.RING, KernelFamily.BROADCAST), grid, stream.handle());
      if (!local) {
        stream.copyHere(dst + at, place.stageOut(rank), n);
      }
    }
  }
}
