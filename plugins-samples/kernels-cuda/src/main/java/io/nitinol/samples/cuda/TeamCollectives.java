// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.samples.cuda.ffi.nitinol_direct_move_params;
import io.nitinol.samples.cuda.ffi.nitinol_direct_reduce_params;
import io.nitinol.samples.cuda.ffi.nitinol_ll_move_params;
import io.nitinol.samples.cuda.ffi.nitinol_ll_reduce_params;
import io.nitinol.samples.cuda.ffi.nitinol_ring_broadcast_params;
import io.nitinol.samples.cuda.ffi.nitinol_ring_gather_params;
import io.nitinol.samples.cuda.ffi.nitinol_ring_reduce_params;
import io.nitinol.samples.cuda.ffi.params_h;
import io.nitinol.spi.DataType;
import io.nitinol.spi.device.v1.DeviceReduction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The collectives of a team as launches of kernels, and of copies where data lie in no window. All
 * methods are called by a thread that is in the device's context, with counts above 0 and at least
 * two ranks. None allocates.
 *
 * <p>Data in no window are cut into pieces of the stage. A piece goes into this rank's stage, where
 * the kernel of every rank reads it, or comes out of it. No kernel ends before the others have read
 * this rank's stage, so the next piece may overwrite it.
 */
final class TeamCollectives {
  private static final long VECTOR = 16;
  private static final long PITCH = 256;

  /** Bytes that a block of another kernel takes on in one round or two. */
  private static final long ROUND = 2 * VECTOR * LaunchArguments.THREADS;

  private static final long RING_ROUND = 32 << 10;
  private static final long LEAST_SLICE = 16 << 10;
  private static final long MOST_SLICE = 256 << 10;

  /** Slices of a ring that reduces, which has slots; without gather its chunks are the larger. */
  private static final long MOST_GATHER_SLICE = 128 << 10;

  private static final long MOST_SCATTER_SLICE = 64 << 10;

  /** Of a chain of three ranks or more: a block's part is so many slices, within bounds. */
  private static final int CHAIN_SLICES = 32;

  private static final long MOST_CHAIN_SLICE = 32 << 10;

  /** From so many bytes on each rank writes into the others' memory, as stores go faster. */
  private static final long GIVEN = 16 << 20;

  /** From so many bytes on the root of two ranks takes all, since loads alone go faster. */
  private static final long PULLED = 8 << 20;

  private final CudaContext context;
  private final KernelModules modules;
  private final TeamPlace place;
  private final int blocks;
  private final LinesLaunch[] reduceLines;
  private final LinesLaunch[] moveLines;
  private final LaunchArguments directReduce;
  private final LaunchArguments directMove;
  private final LaunchArguments ringReduce;
  private final LaunchArguments ringGather;
  private final LaunchArguments ringBroadcast;

  TeamCollectives(
      CudaContext context,
      KernelModules modules,
      TeamPlace place,
      int blocks,
      boolean overlaps,
      Arena arena) {
    this.context = context;
    this.modules = modules;
    this.place = place;
    this.blocks = blocks;
    directReduce = new LaunchArguments(arena, nitinol_direct_reduce_params.layout());
    directMove = new LaunchArguments(arena, nitinol_direct_move_params.layout());
    ringReduce = new LaunchArguments(arena, nitinol_ring_reduce_params.layout());
    ringGather = new LaunchArguments(arena, nitinol_ring_gather_params.layout());
    ringBroadcast = new LaunchArguments(arena, nitinol_ring_broadcast_params.layout());
    place.fill(nitinol_direct_reduce_params.team(directReduce.struct()));
    place.fill(nitinol_direct_move_params.team(directMove.struct()));
    place.fill(nitinol_ring_reduce_params.team(ringReduce.struct()));
    place.fill(nitinol_ring_gather_params.team(ringGather.struct()));
    place.fill(nitinol_ring_broadcast_params.team(ringBroadcast.struct()));
    reduceLines = new LinesLaunch[2];
    moveLines = new LinesLaunch[2];
    for (int i = 0; i < 2; i++) {
      boolean isLong = i == 1;
      reduceLines[i] =
          new LinesLaunch(
              context, arena, nitinol_ll_reduce_params.layout(), isLong, blocks, overlaps);
      moveLines[i] =
          new LinesLaunch(
              context, arena, nitinol_ll_move_params.layout(), isLong, blocks, overlaps);
      MemorySegment reduce = reduceLines[i].struct();
      MemorySegment move = moveLines[i].struct();
      place.fill(nitinol_ll_reduce_params.team(reduce));
      place.fill(nitinol_ll_move_params.team(move));
      long slot = isLong ? place.layout().longSlot() : place.layout().sizes().slot();
      nitinol_ll_reduce_params.slot_bytes(reduce, slot);
      nitinol_ll_move_params.slot_bytes(move, slot);
      for (int r = 0; r < place.ranks(); r++) {
        long area = isLong ? place.longLines(r) : place.lines(r);
        nitinol_ll_reduce_params.lines(reduce, r, area);
        nitinol_ll_move_params.lines(move, r, area);
      }
    }
  }

  private static int index(KernelFamily lines) {
    return lines == KernelFamily.LL128 ? 1 : 0;
  }

  private static long ceil(long size, long unit) {
    return (size + unit - 1) / unit;
  }

  private static long roundUp(long size, long unit) {
    return ceil(size, unit) * unit;
  }

  private int blocks(long bytes, long round) {
    return (int) Math.max(1, Math.min(ceil(bytes, round), blocks));
  }

  /** Returns how many elements of a team's stage are one piece, with room for so many parts. */
  private long piece(int width, int parts) {
    return place.layout().sizes().stage() / parts / PITCH * PITCH / width;
  }

  // -----------------------------------------------------------------------------------------
  // Reductions.

  void llAllReduce(
      KernelFamily lines,
      CudaStream stream,
      DeviceReduction reduction,
      long src,
      long dst,
      long count) {
    llReduce(lines, stream, reduction, src, 0, dst, count, (1 << place.ranks()) - 1);
  }

  void llReduceScatter(
      KernelFamily lines,
      CudaStream stream,
      DeviceReduction reduction,
      long src,
      long dst,
      long count) {
    long part = count * reduction.type().size();
    llReduce(lines, stream, reduction, src, part, dst, count, (1 << place.ranks()) - 1);
  }

  void llReduceTo(
      KernelFamily lines,
      CudaStream stream,
      DeviceReduction reduction,
      long src,
      long dst,
      long count,
      int root) {
    long to = place.rank() == root ? dst : 0;
    llReduce(lines, stream, reduction, src, 0, to, count, 1 << root);
  }

  /**
   * Reduces by flags in the data.
   *
   * @param lines LL or LL128
   * @param part how far what goes to one rank lies from what goes to the next
   * @param dst where the result goes; 0 where this rank gets none
   * @param receivers which ranks get one, a bit for each
   */
  private void llReduce(
      KernelFamily lines,
      CudaStream stream,
      DeviceReduction reduction,
      long src,
      long part,
      long dst,
      long count,
      int receivers) {
    DataType type = reduction.type();
    LinesLaunch launch = reduceLines[index(lines)];
    MemorySegment p = launch.struct();
    for (int r = 0; r < place.ranks(); r++) {
      nitinol_ll_reduce_params.send(p, r, src + r * part);
    }
    nitinol_ll_reduce_params.destination(p, dst);
    nitinol_ll_reduce_params.count(p, count);
    nitinol_ll_reduce_params.scalar(p, Operators.scalar(reduction));
    nitinol_ll_reduce_params.divisor(p, Operators.divisor(reduction));
    nitinol_ll_reduce_params.send_mask(p, receivers);
    launch.launch(
        modules.reduction(lines, type, Operators.number(reduction)),
        count * type.size(),
        stream.handle());
  }

  void directAllReduce(
      CudaStream stream,
      DeviceReduction reduction,
      long src,
      @Nullable CudaWindow in,
      long dst,
      @Nullable CudaWindow out,
      long count) {
    int width = reduction.type().size();
    long most = in != null && out != null ? count : piece(width, 1);
    for (long at = 0; at < count; at += most) {
      long n = Math.min(most, count - at);
      long offset = at * width;
      if (in == null) {
        stream.copyHere(place.stageIn(place.rank()), src + offset, n * width);
      }
      long first = first(n, width, place.ranks(), place.rank());
      long share = share(n, width, place.ranks(), place.rank());
      MemorySegment p = directReduce.struct();
      for (int r = 0; r < place.ranks(); r++) {
        long from = in != null ? in.of(r, src) + offset : place.stageIn(r);
        long to = out != null ? out.of(r, dst) + offset : place.stageOut(r);
        nitinol_direct_reduce_params.source(p, r, from + first * width);
        nitinol_direct_reduce_params.destination(p, r, to + first * width);
      }
      directReduce(stream, reduction, place.ranks(), share, ceil(n, place.ranks()));
      if (out == null) {
        stream.copyHere(dst + offset, place.stageOut(place.rank()), n * width);
      }
    }
  }

  /** Returns the first element of a share of so many, at a multiple of 16 bytes. */
  private static long first(long count, int width, int shares, int index) {
    return Math.min(count, index * each(count, width, shares));
  }

  private static long share(long count, int width, int shares, int index) {
    long each = each(count, width, shares);
    return Math.max(0, Math.min(each, count - index * each));
  }

  private static long each(long count, int width, int shares) {
    return roundUp(ceil(count, shares), VECTOR / width);
  }

  /**
   * Returns how many ranks share what a root sends or gets. Of more than two the root is not among
   * them: its links carry each byte once anyway, and a share of its own would be carried again.
   */
  private int shares() {
    return place.ranks() > 2 ? place.ranks() - 1 : place.ranks();
  }

  /** Returns which share is this rank's; of more than two ranks the root has an empty one. */
  private int shareOf(int root) {
    int ranks = place.ranks();
    return ranks > 2 ? (place.rank() - root - 1 + ranks) % ranks : place.rank();
  }

  private void directReduce(
      CudaStream stream, DeviceReduction reduction, int destinations, long share, long most) {
    MemorySegment p = directReduce.struct();
    nitinol_direct_reduce_params.destinations(p, destinations);
    nitinol_direct_reduce_params.count(p, share);
    nitinol_direct_reduce_params.scalar(p, Operators.scalar(reduction));
    nitinol_direct_reduce_params.divisor(p, Operators.divisor(reduction));
    directReduce.launch(
        context,
        modules.reduction(KernelFamily.DIRECT, reduction.type(), Operators.number(reduction)),
        blocks(most * reduction.type().size(), ROUND),
        stream.handle());
  }

  void directReduceScatter(
      CudaStream stream,
      DeviceReduction reduction,
      long src,
      @Nullable CudaWindow in,
      long dst,
      long count) {
    int width = reduction.type().size();
    int ranks = place.ranks();
    long most = in == null ? piece(width, ranks) : count;
    for (long at = 0; at < count; at += most) {
      long n = Math.min(most, count - at);
      long pitch = roundUp(n * width, PITCH);
      MemorySegment p = directReduce.struct();
      for (int r = 0; r < ranks; r++) {
        if (in == null) {
          stream.copyHere(
              place.stageIn(place.rank()) + r * pitch, src + (r * count + at) * width, n * width);
          nitinol_direct_reduce_params.source(p, r, place.stageIn(r) + place.rank() * pitch);
        } else {
          nitinol_direct_reduce_params.source(
              p, r, in.of(r, src) + (place.rank() * count + at) * width);
        }
      }
      nitinol_direct_reduce_params.destination(p, 0, dst + at * width);
      directReduce(stream, reduction, 1, n, n);
    }
  }

  void directReduceTo(
      CudaStream stream,
      DeviceReduction reduction,
      long src,
      @Nullable CudaWindow in,
      long dst,
      @Nullable CudaWindow out,
      long count,
      int root) {
    int width = reduction.type().size();
    long most = in != null && out != null ? count : piece(width, 1);
    boolean pulled = place.ranks() == 2 && count * width >= PULLED;
    int isRoot = place.rank() == root ? 1 : 0;
    for (long at = 0; at < count; at += most) {
      long n = Math.min(most, count - at);
      long offset = at * width;
      if (in == null) {
        stream.copyHere(place.stageIn(place.rank()), src + offset, n * width);
      }
      long first = pulled ? 0 : first(n, width, shares(), shareOf(root));
      MemorySegment p = directReduce.struct();
      for (int r = 0; r < place.ranks(); r++) {
        long from = in != null ? in.of(r, src) + offset : place.stageIn(r);
        nitinol_direct_reduce_params.source(p, r, from + first * width);
      }
      long to = out != null ? out.of(root, dst) + offset : place.stageOut(root);
      nitinol_direct_reduce_params.destination(p, 0, to + first * width);
      directReduce(
          stream,
          reduction,
          1,
          pulled ? n * isRoot : share(n, width, shares(), shareOf(root)),
          pulled ? n : ceil(n, shares()));
      if (out == null && place.rank() == root) {
        stream.copyHere(dst + offset, place.stageOut(root), n * width);
      }
    }
  }

  void ringAllReduce(
      CudaStream stream,
      DeviceReduction reduction,
      long src,
      long dst,
      @Nullable CudaWindow out,
      long count) {
    int width = reduction.type().size();
    int next = place.next();
    long most = out != null ? count : piece(width, 1);
    for (long at = 0; at < count; at += most) {
      long n = Math.min(most, count - at);
      long offset = at * width;
      MemorySegment p = ringReduce.struct();
      nitinol_ring_reduce_params.input(p, src + offset);
      nitinol_ring_reduce_params.output(
          p, out != null ? dst + offset : place.stageOut(place.rank()));
      nitinol_ring_reduce_params.next_output(
          p, out != null ? out.of(next, dst) + offset : place.stageOut(next));
      ringReduce(
          stream, reduction, params_h.NITINOL_RING_GATHER(), n, each(n, width, place.ranks()));
      if (out == null) {
        stream.copyHere(dst + offset, place.stageOut(place.rank()), n * width);
      }
    }
  }

  void ringReduceScatter(
      CudaStream stream, DeviceReduction reduction, long src, long dst, long count) {
    MemorySegment p = ringReduce.struct();
    nitinol_ring_reduce_params.input(p, src);
    nitinol_ring_reduce_params.output(p, dst);
    nitinol_ring_reduce_params.next_output(p, 0);
    ringReduce(stream, reduction, params_h.NITINOL_RING_SCATTER(), count * place.ranks(), count);
  }

  void ringReduceTo(
      CudaStream stream, DeviceReduction reduction, long src, long dst, long count, int root) {
    MemorySegment p = ringReduce.struct();
    nitinol_ring_reduce_params.input(p, src);
    nitinol_ring_reduce_params.output(p, place.rank() == root ? dst : 0);
    nitinol_ring_reduce_params.next_output(p, 0);
    nitinol_ring_reduce_params.root(p, root);
    ringReduce(stream, reduction, params_h.NITINOL_RING_CHAIN(), count, count);
  }

  private void ringReduce(
      CudaStream stream, DeviceReduction reduction, int mode, long count, long stride) {
    int width = reduction.type().size();
    int grid = blocks(stride * width, RING_ROUND);
    MemorySegment p = ringReduce.struct();
    nitinol_ring_reduce_params.mode(p, mode);
    nitinol_ring_reduce_params.scratch(p, place.scratch(place.rank()));
    nitinol_ring_reduce_params.next_scratch(p, place.scratch(place.next()));
    nitinol_ring_reduce_params.count(p, count);
    nitinol_ring_reduce_params.stride(p, stride);
    nitinol_ring_reduce_params.slice(p, slotSlice(mode, stride * width, grid) / width);
    nitinol_ring_reduce_params.scalar(p, Operators.scalar(reduction));
    nitinol_ring_reduce_params.divisor(p, Operators.divisor(reduction));
    ringReduce.launch(
        context,
        modules.reduction(KernelFamily.RING, reduction.type(), Operators.number(reduction)),
        grid,
        stream.handle());
  }

  /** Returns a slice of a ring that reduces: half of a block's part, and its slots have room. */
  private long slotSlice(int mode, long chunk, int grid) {
    boolean gathers = mode == params_h.NITINOL_RING_GATHER();
    long steps = mode == params_h.NITINOL_RING_CHAIN() ? 1 : place.ranks() - 1;
    long room = place.layout().sizes().scratch() / (steps * params_h.NITINOL_RING_SLOTS() * grid);
    if (mode == params_h.NITINOL_RING_CHAIN() && place.ranks() > 2) {
      return Math.min(chainSlice(chunk, grid), room / VECTOR * VECTOR);
    }
    long most = Math.min(room, gathers ? MOST_GATHER_SLICE : MOST_SCATTER_SLICE);
    long half = roundUp(ceil(chunk, 2L * grid), VECTOR);
    return Math.min(Math.max(LEAST_SLICE, half), most) / VECTOR * VECTOR;
  }

  /**
   * Returns a slice of what goes along a chain: small, since the last rank begins when a slice has
   * come through all others, but not so small that a block only waits.
   */
  private static long chainSlice(long chunk, int grid) {
    long part = roundUp(ceil(chunk, (long) CHAIN_SLICES * grid), VECTOR);
    return Math.max(LEAST_SLICE, Math.min(part, MOST_CHAIN_SLICE));
  }

  /** Returns how many bytes a block of a ring passes on at once: a quarter of its part. */
  private static long slice(long chunk, int grid) {
    long quarter = roundUp(ceil(chunk, 4L * grid), VECTOR);
    return Math.max(LEAST_SLICE, Math.min(quarter, MOST_SLICE));
  }

  // -----------------------------------------------------------------------------------------
  // Moves.

  void llAllGather(KernelFamily lines, CudaStream stream, long src, long dst, long size) {
    MemorySegment p = moveLines[index(lines)].struct();
    for (int r = 0; r < place.ranks(); r++) {
      long to = dst + r * size;
      // In place nothing stays to be moved here.
      boolean moves = r != place.rank() || src != to;
      llMove(p, r, src, moves ? size : 0, to, moves ? size : 0);
    }
    llMove(lines, stream, size);
  }

  void llBroadcast(KernelFamily lines, CudaStream stream, long src, long dst, long size, int root) {
    MemorySegment p = moveLines[index(lines)].struct();
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
    MemorySegment p = moveLines[index(lines)].struct();
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
    moveLines[index(lines)].launch(
        modules.move(lines, 0), size * (place.ranks() - 1), stream.handle());
  }

  void directAllGather(CudaStream stream, long src, long dst, @Nullable CudaWindow out, long size) {
    int ranks = place.ranks();
    int rank = place.rank();
    long most = out != null ? size : piece(1, ranks);
    for (long at = 0; at < size; at += most) {
      long n = Math.min(most, size - at);
      long pitch = roundUp(n, PITCH);
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
    long most = in != null && out != null ? size : piece(1, 1);
    for (long at = 0; at < size; at += most) {
      long n = Math.min(most, size - at);
      if (in == null && place.rank() == root) {
        stream.copyHere(place.stageIn(root), src + at, n);
      }
      // Of more than two ranks the root moves all to its own output, and the others their shares.
      boolean own = place.ranks() > 2 && place.rank() == root;
      long first = own ? 0 : first(n, 1, shares(), shareOf(root));
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
      long share = own ? n : share(n, 1, shares(), shareOf(root));
      nitinol_direct_move_params.bytes(p, 0, moves == 0 ? 0 : share);
      directMove(stream, params_h.NITINOL_MOVE_FAN(), moves, ceil(n, shares()));
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
    long most = gives || in != null ? size : piece(1, ranks);
    for (long at = 0; at < size; at += most) {
      long n = Math.min(most, size - at);
      long pitch = roundUp(n, PITCH);
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
        context, modules.move(KernelFamily.DIRECT, 0), blocks(most, ROUND), stream.handle());
  }

  void ringAllGather(CudaStream stream, long src, long dst, @Nullable CudaWindow out, long size) {
    int ranks = place.ranks();
    int rank = place.rank();
    long most = out != null ? size : piece(1, ranks);
    for (long at = 0; at < size; at += most) {
      long n = Math.min(most, size - at);
      int grid = blocks(n, RING_ROUND);
      MemorySegment p = ringGather.struct();
      nitinol_ring_gather_params.input(p, src + at);
      nitinol_ring_gather_params.output(p, out != null ? dst : place.stageOut(rank));
      nitinol_ring_gather_params.next_output(
          p, out != null ? out.of(place.next(), dst) : place.stageOut(place.next()));
      nitinol_ring_gather_params.bytes(p, n);
      nitinol_ring_gather_params.slice(p, slice(n, grid));
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
    long most = out != null ? size : piece(1, 1);
    for (long at = 0; at < size; at += most) {
      long n = Math.min(most, size - at);
      int grid = blocks(n, RING_ROUND);
      // Nobody writes to the root, so its output need not be where others find it.
      boolean local = out != null || rank == root;
      MemorySegment p = ringBroadcast.struct();
      nitinol_ring_broadcast_params.input(p, src + at);
      nitinol_ring_broadcast_params.output(p, local ? dst + at : place.stageOut(rank));
      nitinol_ring_broadcast_params.next_output(
          p, out != null ? out.of(next, dst) + at : place.stageOut(next));
      nitinol_ring_broadcast_params.bytes(p, n);
      nitinol_ring_broadcast_params.slice(
          p, place.ranks() > 2 ? chainSlice(n, grid) : slice(n, grid));
      nitinol_ring_broadcast_params.root(p, root);
      ringBroadcast.launch(
          context, modules.move(KernelFamily.RING, KernelFamily.BROADCAST), grid, stream.handle());
      if (!local) {
        stream.copyHere(dst + at, place.stageOut(rank), n);
      }
    }
  }
}
