// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.perf.collective.PerfCollective;
import io.nitinol.cli.perf.collective.PerfJob;
import io.nitinol.cli.perf.collective.PerfSession;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A rank's memory: a send and a receive buffer for the largest row, with guards around; as many of
 * both as operations are started together, which must not write where others read or write.
 */
final class Buffers {
  /** Before and behind, to see what is written where it must not be; keeps the alignment. */
  static final long GUARD_BYTES = 4096;

  /** What one row uses: the operation's segments, and what is around them. */
  record Slices(
      MemorySegment send,
      MemorySegment recv,
      MemorySegment guardedSend,
      MemorySegment guardedRecv) {

    boolean isInPlace() {
      return guardedSend.equals(guardedRecv);
    }
  }

  private final PerfCollective collective;
  private final int unalign;
  private final long sendStride;
  private final long recvStride;
  private final MemorySegment send;
  private final MemorySegment recv;

  /** Allocates the memory, which lives as long as {@code arena} and {@code session}. */
  Buffers(Arena arena, PerfPlan plan, PerfSession session) {
    int ranks = session.size();
    this.collective = plan.collective();
    this.unalign = plan.unalign();
    this.sendStride = stride(plan, plan.sendBytes(ranks));
    this.recvStride = stride(plan, plan.recvBytes(ranks));
    this.send = allocate(arena, session, sendStride * plan.timing().aggregate());
    this.recv = allocate(arena, session, recvStride * plan.timing().aggregate());
  }

  private static MemorySegment allocate(Arena arena, PerfSession session, long bytes) {
    try {
      return session.allocate(arena, bytes, GUARD_BYTES);
    } catch (OutOfMemoryError e) {
      throw CommandFailure.usage(
          ErrorText.of(
              "rank %s cannot allocate a buffer of %s bytes (%s); lower -e, or allow more "
                  + "with NITINOL_JAVA_OPTS=-XX:MaxDirectMemorySize=...",
              session.rank(), bytes, e.getMessage()));
    }
  }

  /** Returns the bytes that a rank needs. */
  static double bytes(PerfPlan plan, int ranks) {
    double both =
        (double) stride(plan, plan.sendBytes(ranks)) + stride(plan, plan.recvBytes(ranks));
    return both * plan.timing().aggregate();
  }

  private static long stride(PerfPlan plan, long length) {
    long bytes = length + 2 * GUARD_BYTES + plan.unalign() * (long) Long.BYTES;
    return (bytes + GUARD_BYTES - 1) & -GUARD_BYTES;
  }

  /**
   * Returns the segments of a row.
   *
   * @param index which of the operations that are started together
   */
  Slices slices(PerfJob job, int rank, boolean inPlace, int index) {
    MemorySegment sends = send.asSlice(index * sendStride, sendStride);
    MemorySegment recvs = recv.asSlice(index * recvStride, recvStride);
    long sendLength = collective.sendLength(job);
    long recvLength = collective.recvLength(job);
    if (inPlace) {
      MemorySegment guarded = guarded(recvs, job, Math.max(sendLength, recvLength));
      return new Slices(
          slice(guarded, job, collective.sendOffset(job, rank), sendLength),
          slice(guarded, job, collective.recvOffset(job, rank), recvLength),
          guarded,
          guarded);
    }
    MemorySegment guardedSend = guarded(sends, job, sendLength);
    MemorySegment guardedRecv = guarded(recvs, job, recvLength);
    return new Slices(
        slice(guardedSend, job, 0, sendLength),
        slice(guardedRecv, job, 0, recvLength),
        guardedSend,
        guardedRecv);
  }

  private MemorySegment guarded(MemorySegment buffer, PerfJob job, long length) {
    int size = job.type().size();
    return buffer.asSlice((long) unalign * size, 2 * GUARD_BYTES + length * size);
  }

  private static MemorySegment slice(MemorySegment guarded, PerfJob job, long offset, long length) {
    int size = job.type().size();
    return guarded.asSlice(GUARD_BYTES + offset * size, length * size);
  }
}
