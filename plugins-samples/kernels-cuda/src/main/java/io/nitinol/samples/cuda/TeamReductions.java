// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.samples.cuda.ffi.nitinol_direct_reduce_params;
import io.nitinol.samples.cuda.ffi.nitinol_ll_reduce_params;
import io.nitinol.samples.cuda.ffi.nitinol_ring_reduce_params;
import io.nitinol.samples.cuda.ffi.params_h;
import io.nitinol.spi.DataType;
import io.nitinol.spi.device.v1.DeviceReduction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The reductions of a team as launches of kernels, and of copies where data lie in no window. All
 * methods are called by a thread that is in the device's context, with counts above 0 and at least
 * two ranks. None allocates.
 *
 * <p>Data in no window are cut into pieces of the stage. A piece goes into this rank's stage, where
 * the kernel of every rank reads it, or comes out of it. No kernel ends before the others have read
 * this rank's stage, so the next piece may overwrite it.
 */
final class TeamReductions {
  /** Slices of a ring that reduces, which has slots; without gather its chunks are the larger. */
  private static final long MOST_GATHER_SLICE = 128 << 10;

  private static final long MOST_SCATTER_SLICE = 64 << 10;

  /** From so many bytes on the root of two ranks takes all, since loads alone go faster. */
  private static final long PULLED = 8 << 20;

  private final CudaContext context;
  private final KernelModules modules;
  private final TeamPlace place;
  private final TeamPieces pieces;
  private final LinesLaunch[] lines;
  private final LaunchArguments directReduce;
  private final LaunchArguments ringReduce;

  TeamReductions(
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
    directReduce = new LaunchArguments(arena, nitinol_direct_reduce_params.layout());
    ringReduce = new LaunchArguments(arena, nitinol_ring_reduce_params.layout());
    place.fill(nitinol_direct_reduce_params.team(directReduce.struct()));
    place.fill(nitinol_ring_reduce_params.team(ringReduce.struct()));
    lines = new LinesLaunch[2];
    for (int i = 0; i < 2; i++) {
      boolean isLong = i == 1;
      lines[i] =
          new LinesLaunch(
              context, arena, nitinol_ll_reduce_params.layout(), isLong, blocks, overlaps);
      MemorySegment p = lines[i].struct();
      place.fill(nitinol_ll_reduce_params.team(p));
      nitinol_ll_reduce_params.slot_bytes(
          p, isLong ? place.layout().longSlot() : place.layout().sizes().slot());
      for (int r = 0; r < place.ranks(); r++) {
        nitinol_ll_reduce_params.lines(p, r, isLong ? place.longLines(r) : place.lines(r));
      }
    }
  }

  private LinesLaunch lines(KernelFamily family) {
    return lines[family == KernelFamily.LL128 ? 1 : 0];
  }

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
    LinesLaunch launch = lines(lines);
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
    long most = in != null && out != null ? count : pieces.piece(width, 1);
    for (long at = 0; at < count; at += most) {
      long n = Math.min(most, count - at);
      long offset = at * width;
      if (in == null) {
        stream.copyHere(place.stageIn(place.rank()), src + offset, n * width);
      }
      long first = TeamPieces.first(n, width, place.ranks(), place.rank());
      long share = TeamPieces.share(n, width, place.ranks(), place.rank());
      MemorySegment p = directReduce.struct();
      for (int r = 0; r < place.ranks(); r++) {
        long from = in != null ? in.of(r, src) + offset : place.stageIn(r);
        long to = out != null ? out.of(r, dst) + offset : place.stageOut(r);
        nitinol_direct_reduce_params.source(p, r, from + first * width);
        nitinol_direct_reduce_params.destination(p, r, to + first * width);
      }
      directReduce(stream, reduction, place.ranks(), share, TeamPieces.ceil(n, place.ranks()));
      if (out == null) {
        stream.copyHere(dst + offset, place.stageOut(place.rank()), n * width);
      }
    }
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
        pieces.blocks(most * reduction.type().size(), TeamPieces.FOLD_ROUND),
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
    long most = in == null ? pieces.piece(width, ranks) : count;
    for (long at = 0; at < count; at += most) {
      long n = Math.min(most, count - at);
      long pitch = TeamPieces.roundUp(n * width, TeamPieces.PITCH);
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
    long most = in != null && out != null ? count : pieces.piece(width, 1);
    boolean pulled = place.ranks() == 2 && count * width >= PULLED;
    int isRoot = place.rank() == root ? 1 : 0;
    for (long at = 0; at < count; at += most) {
      long n = Math.min(most, count - at);
      long offset = at * width;
      if (in == null) {
        stream.copyHere(place.stageIn(place.rank()), src + offset, n * width);
      }
      long first = pulled ? 0 : TeamPieces.first(n, width, pieces.shares(), pieces.shareOf(root));
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
          pulled ? n * isRoot : TeamPieces.share(n, width, pieces.shares(), pieces.shareOf(root)),
          pulled ? n : TeamPieces.ceil(n, pieces.shares()));
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
    long most = out != null ? count : pieces.piece(width, 1);
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
          stream,
          reduction,
          params_h.NITINOL_RING_GATHER(),
          n,
          TeamPieces.each(n, width, place.ranks()));
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
    int grid = pieces.blocks(stride * width, TeamPieces.RING_ROUND);
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
      return Math.min(TeamPieces.chainSlice(chunk, grid), TeamPieces.turns(room));
    }
    long most = Math.min(room, gathers ? MOST_GATHER_SLICE : MOST_SCATTER_SLICE);
    long half = TeamPieces.roundUp(TeamPieces.ceil(chunk, 2L * grid), TeamPieces.VECTOR);
    return TeamPieces.turns(Math.min(Math.max(TeamPieces.LEAST_SLICE, half), most));
  }
}
