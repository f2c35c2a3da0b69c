// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/**
 * The launches of one kernel with flags in the data. A thread has one line where there are blocks
 * enough: few threads on many processors wait less for each other than many on a few.
 *
 * <p>Such a kernel comes on the device while the launch before it ends, if its blocks are small:
 * then those of two launches, of two teams, have room there together, and no team waits for the
 * room that another one's next launch has taken.
 */
final class LinesLaunch {
  private static final int SHORT_LINE = 8;
  private static final int SHORT_THREADS = 128;

  /** Bytes that a warp sends in long lines, four of 120. */
  private static final int LONG_WARP = 480;

  private static final int WARP = 32;
  private static final int LONG_THREADS = 256;

  private final CudaContext context;
  private final LaunchArguments arguments;
  private final boolean longLines;
  private final int blocks;
  private final boolean overlaps;

  /**
   * Prepares the launches.
   *
   * @param layout the kernel's parameters
   * @param longLines whether lines are of 128 bytes
   * @param blocks of a launch at the most
   * @param overlaps whether the device lets a launch begin before the last one ends
   */
  LinesLaunch(
      CudaContext context,
      SegmentAllocator allocator,
      GroupLayout layout,
      boolean longLines,
      int blocks,
      boolean overlaps) {
    this.context = context;
    this.arguments = new LaunchArguments(allocator, layout);
    this.longLines = longLines;
    this.blocks = blocks;
    this.overlaps = overlaps;
  }

  MemorySegment struct() {
    return arguments.struct();
  }

  /** Puts the kernel into a stream, for so many bytes in all; the thread is in the context. */
  void launch(MemorySegment function, long bytes, MemorySegment stream) {
    launch(function, bytes, 1, stream);
  }

  /** The same for several pairs, of so many bytes each, or of others that have the same grid. */
  void launch(MemorySegment function, long bytes, int pairs, MemorySegment stream) {
    int threads = threads(longLines, bytes, blocks);
    int grid = grid(longLines, bytes, blocks);
    if (overlaps && threads < LaunchArguments.THREADS) {
      arguments.launchOverlapping(context, function, grid, pairs, threads, stream);
    } else {
      arguments.launch(context, function, grid, pairs, threads, stream);
    }
  }

  /** Returns how many threads have a line, or of a long one 16 bytes. */
  private static long users(boolean longLines, long bytes) {
    return longLines
        ? (bytes + LONG_WARP - 1) / LONG_WARP * WARP
        : (bytes + SHORT_LINE - 1) / SHORT_LINE;
  }

  /** Returns the threads of a block: few, if so many blocks then have a thread for all. */
  static int threads(boolean longLines, long bytes, int blocks) {
    int few = longLines ? LONG_THREADS : SHORT_THREADS;
    return users(longLines, bytes) <= (long) blocks * few ? few : LaunchArguments.THREADS;
  }

  /** Returns the blocks of a launch, at most so many. */
  static int grid(boolean longLines, long bytes, int blocks) {
    int threads = threads(longLines, bytes, blocks);
    long wanted = (users(longLines, bytes) + threads - 1) / threads;
    return (int) Math.max(1, Math.min(wanted, blocks));
  }
}
