// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DataType;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Collective networks whose mistakes show only after a while, or in a rare case. */
public final class HiddenReductionMistakes {
  private HiddenReductionMistakes() {}

  /** Clears the receive area unless it is registered as the send area is. */
  @Breaks("COLL-14")
  public static final class KnowsItsPlaceByTheHandle extends WrongNewestCollNet {
    private final Map<MemoryHandle, MemorySegment> areas = new ConcurrentHashMap<>();

    @Override
    public MemoryHandle regMr(CollComm comm, Memory memory) {
      MemoryHandle mr = super.regMr(comm, memory);
      MemorySegment segment = memory.segment();
      if (segment != null && !segment.isReadOnly()) {
        areas.put(mr, segment);
      }
      return mr;
    }

    @Override
    public @Nullable Request iallreduce(
        CollComm comm,
        MemoryHandle sendMr,
        long sendOffset,
        MemoryHandle recvMr,
        long recvOffset,
        long count,
        DataType dataType,
        ReductionOp op) {
      MemorySegment area =
          recvMr == null || recvMr.equals(sendMr) || !reduceSupport(dataType, op)
              ? null
              : areas.get(recvMr);
      long most = area == null ? -1 : (area.byteSize() - recvOffset) / dataType.size();
      if (area != null && recvOffset >= 0 && count > 0 && count <= most) {
        area.asSlice(recvOffset, count * dataType.size()).fill((byte) 0);
      }
      return super.iallreduce(comm, sendMr, sendOffset, recvMr, recvOffset, count, dataType, op);
    }
  }

  /** Adds a window's place and length, without a look at what may become of the sum. */
  @Breaks("COLL-25")
  public static final class AddsPastTheEnd extends WrongNewestCollNet {
    @Override
    public @Nullable Request iallgather(
        CollComm comm,
        MemoryHandle sendMr,
        long sendOffset,
        int n,
        MemoryHandle[] recvMrs,
        long[] recvOffsets,
        long[] recvLengths,
        long bytesPerRank,
        long windowOffset,
        long windowBytes) {
      boolean overflows = windowOffset > 0 && windowOffset + windowBytes < 0;
      return super.iallgather(
          comm,
          sendMr,
          sendOffset,
          n,
          recvMrs,
          recvOffsets,
          recvLengths,
          bytesPerRank,
          overflows ? 0 : windowOffset,
          windowBytes);
    }
  }

  /** Rounds the window's length down to whole elements, and reduces those. */
  @Breaks("COLL-25")
  public static final class ReducesWholeElements extends WrongNewestCollNet {
    @Override
    public @Nullable Request ireducescatter(
        CollComm comm,
        int n,
        MemoryHandle[] sendMrs,
        long[] sendOffsets,
        long[] sendLengths,
        MemoryHandle recvMr,
        long recvOffset,
        long bytesPerRank,
        long windowOffset,
        long windowBytes,
        DataType dataType,
        ReductionOp op) {
      long rest = n == 1 && sendLengths[0] == windowBytes ? windowBytes % dataType.size() : 0;
      return super.ireducescatter(
          comm,
          n,
          sendMrs,
          sendOffsets,
          rest > 0 ? new long[] {windowBytes - rest} : sendLengths,
          recvMr,
          recvOffset,
          bytesPerRank,
          windowOffset,
          windowBytes - Math.max(0, rest),
          dataType,
          op);
    }
  }

  /** Reports what the system says where the first member is gone, which makes the group's file. */
  @Breaks("COLL-04")
  public static final class BlamesTheSystemForTheFirst extends WrongNewestCollNet {
    @Override
    public CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm) {
      try {
        return super.connect(handles, nranks, rank, listenComm);
      } catch (NetException e) {
        if (String.valueOf(e.getMessage()).startsWith("member 0 cannot join")) {
          throw new NetException(ResultCode.SYSTEM_ERROR, "No such file or directory");
        }
        throw e;
      }
    }
  }

  /** Counts the operations of a member in 15 bits, and starts none when they are used up. */
  @Breaks("COLL-13")
  public static final class CountsOperationsIn15Bits extends WrongNewestCollNet {
    private final Map<CollComm, AtomicInteger> started = new ConcurrentHashMap<>();

    @Override
    public @Nullable Request iallreduce(
        CollComm comm,
        MemoryHandle sendMr,
        long sendOffset,
        MemoryHandle recvMr,
        long recvOffset,
        long count,
        DataType dataType,
        ReductionOp op) {
      AtomicInteger own =
          comm == null
              ? new AtomicInteger()
              : started.computeIfAbsent(comm, _ -> new AtomicInteger());
      if (own.get() >= Short.MAX_VALUE) {
        return null;
      }
      Request request =
          super.iallreduce(comm, sendMr, sendOffset, recvMr, recvOffset, count, dataType, op);
      if (request != null) {
        own.incrementAndGet();
      }
      return request;
    }
  }
}
