// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DataType;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Networks that are right in each thing alone: it takes two of them, an order, an age or an edge,
 * until the mistake shows.
 */
public final class CombinedMistakes {
  private CombinedMistakes() {}

  /** Finds, under a handle that was undone, the memory that is registered next on the comm. */
  @Breaks("NET-REG-07")
  public static final class RevivesADeadHandle extends WrongNet {
    private final Map<Comm, MemoryHandle> dead = new ConcurrentHashMap<>();
    private final Map<MemoryHandle, MemoryHandle> revived = new ConcurrentHashMap<>();

    private MemoryHandle now(MemoryHandle handle) {
      return handle == null ? null : revived.getOrDefault(handle, handle);
    }

    @Override
    public MemoryHandle regMr(Comm comm, Memory memory) {
      MemoryHandle handle = super.regMr(comm, memory);
      MemoryHandle before = dead.remove(comm);
      if (before != null) {
        revived.put(before, handle);
      }
      return handle;
    }

    @Override
    public void deregMr(Comm comm, MemoryHandle handle) {
      MemoryHandle now = now(handle);
      super.deregMr(comm, now);
      revived.values().remove(now);
      if (now.equals(handle)) {
        dead.put(comm, handle);
      }
    }

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      return super.isend(comm, now(mr), offset, length, tag);
    }

    @Override
    public void closeSend(SendComm comm) {
      super.closeSend(comm);
      dead.remove(comm);
    }

    @Override
    public void closeRecv(RecvComm comm) {
      super.closeRecv(comm);
      dead.remove(comm);
    }
  }

  /** Makes a global handle known to the comms that are there when it is made, to no others. */
  @Breaks("NET-REG-14")
  public static final class KnowsOlderCommsOnly extends WrongNewestNet {
    private record Made(Comm owner, Memory memory, long time) {}

    private final AtomicLong time = new AtomicLong();
    private final Map<Comm, Long> comms = new ConcurrentHashMap<>();
    private final Map<MemoryHandle, Made> made = new ConcurrentHashMap<>();

    @Override
    public NetProperties getProperties(int device) {
      NetProperties p = super.getProperties(device);
      return new NetProperties(
          p.name(),
          p.pciPath(),
          p.guid(),
          p.ptrSupport(),
          true,
          p.forceFlush(),
          p.speed(),
          p.port(),
          p.latency(),
          p.maxComms(),
          p.maxRecvs(),
          p.netDeviceType(),
          p.netDeviceVersion(),
          p.virtualDevice(),
          p.maxP2pBytes(),
          p.maxCollBytes(),
          p.maxMultiRequestSize(),
          p.railId(),
          p.planeId());
    }

    private MemoryHandle with(Comm comm, MemoryHandle handle) {
      Made one = handle == null ? null : made.get(handle);
      Long born = comm == null ? null : comms.get(comm);
      return one == null || born == null || one.owner() == comm || born > one.time()
          ? handle
          : super.regMr(comm, one.memory());
    }

    @Override
    public @Nullable SendComm connect(
        NetContext context,
        int device,
        MemorySegment handle,
        @Nullable DeviceHandle[] deviceHandle) {
      return born(super.connect(context, device, handle, deviceHandle));
    }

    @Override
    public @Nullable RecvComm accept(ListenComm listenComm, @Nullable DeviceHandle[] deviceHandle) {
      return born(super.accept(listenComm, deviceHandle));
    }

    private <C extends Comm> @Nullable C born(@Nullable C comm) {
      if (comm != null) {
        comms.put(comm, time.incrementAndGet());
      }
      return comm;
    }

    @Override
    public MemoryHandle regMr(Comm comm, Memory memory) {
      MemoryHandle handle = super.regMr(comm, memory);
      made.put(handle, new Made(comm, memory, time.incrementAndGet()));
      return handle;
    }

    @Override
    public void deregMr(Comm comm, MemoryHandle handle) {
      super.deregMr(comm, handle);
      made.remove(handle);
    }

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag, long profilerHandle) {
      return super.isend(comm, with(comm, mr), offset, length, tag, profilerHandle);
    }

    @Override
    public @Nullable Request irecv(
        RecvComm comm,
        int n,
        MemoryHandle[] mrs,
        long[] offsets,
        long[] lengths,
        int[] tags,
        long @Nullable [] profilerHandles,
        int hints) {
      MemoryHandle[] known = mrs;
      if (n == 1 && mrs != null && mrs.length == 1 && with(comm, mrs[0]) != mrs[0]) {
        known = new MemoryHandle[] {with(comm, mrs[0])};
      }
      return super.irecv(comm, n, known, offsets, lengths, tags, profilerHandles, hints);
    }

    @Override
    public void closeSend(SendComm comm) {
      super.closeSend(comm);
      forget(comm);
    }

    @Override
    public void closeRecv(RecvComm comm) {
      super.closeRecv(comm);
      forget(comm);
    }

    private void forget(Comm comm) {
      comms.remove(comm);
      made.values().removeIf(one -> one.owner() == comm);
    }
  }

  /** Takes a copy of memory that is read-only, since nobody changes that. */
  @Breaks("NET-REG-13")
  public static final class CopiesReadOnlyMemory extends WrongNet {
    @Override
    public MemoryHandle regMr(Comm comm, Memory memory) {
      MemorySegment segment = memory == null ? null : memory.segment();
      if (segment == null || !segment.isReadOnly()) {
        return super.regMr(comm, memory);
      }
      MemorySegment copy = Arena.ofAuto().allocate(segment.byteSize()).copyFrom(segment);
      return super.regMr(comm, Memory.ofHost(copy.asReadOnly()));
    }
  }

  /** The same of contributions. */
  @Breaks("NET-REG-13")
  public static final class CopiesReadOnlyContributions extends WrongCollNet {
    @Override
    public MemoryHandle regMr(CollComm comm, Memory memory) {
      MemorySegment segment = memory == null ? null : memory.segment();
      if (segment == null || !segment.isReadOnly()) {
        return super.regMr(comm, memory);
      }
      MemorySegment copy = Arena.ofAuto().allocate(segment.byteSize()).copyFrom(segment);
      return super.regMr(comm, Memory.ofHost(copy.asReadOnly()));
    }
  }

  /** Refuses an offset that is the size of the registration, also for 0 bytes. */
  @Breaks("NET-SEND-07")
  public static final class RefusesTheEndOfMemory extends WatchingNet {
    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      Memory memory = mr == null ? null : memoryOf(mr);
      if (memory != null && offset == memory.size()) {
        throw new NetException(ResultCode.INVALID_ARGUMENT, offset + " is the end");
      }
      return super.isend(comm, mr, offset, length, tag);
    }
  }

  /** Refuses a piece that has room for 0 bytes. */
  @Breaks(value = "NET-SEND-07", also = "NET-RECV-02")
  public static final class RefusesPiecesWithoutRoom extends WrongNet {
    @Override
    public @Nullable Request irecv(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
      for (int i = 0; lengths != null && i < Math.min(n, lengths.length); i++) {
        if (lengths[i] == 0) {
          throw new NetException(ResultCode.INVALID_ARGUMENT, "a piece without room");
        }
      }
      return super.irecv(comm, n, mrs, offsets, lengths, tags);
    }
  }

  /**
   * Takes a tag that the oldest unfinished receive does not have for a disagreement, if one comm
   * has receives, so that it knows the receiver. It allocates for that.
   */
  @Breaks(
      value = "NET-RECV-11",
      also = {"NET-MEM-03", "NET-SEND-08"})
  public static final class ExpectsTheTagsOfTheOldestReceive extends WrongNet {
    private record Posted(RecvComm comm, List<Integer> tags) {}

    private final Deque<Posted> posted = new ConcurrentLinkedDeque<>();

    @Override
    public @Nullable Request irecv(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
      Request request = super.irecv(comm, n, mrs, offsets, lengths, tags);
      if (request != null && n > 0) {
        List<Integer> own = new ArrayList<>();
        for (int i = 0; i < n; i++) {
          own.add(tags[i]);
        }
        posted.addLast(new Posted(comm, own));
      }
      return request;
    }

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      Request request = super.isend(comm, mr, offset, length, tag);
      Posted oldest = posted.peekFirst();
      if (oldest == null || posted.stream().anyMatch(each -> each.comm() != oldest.comm())) {
        return request;
      }
      if (oldest.tags().contains(tag)) {
        if (request != null) {
          oldest.tags().remove((Integer) tag);
          posted.removeIf(each -> each.tags().isEmpty());
        }
      } else if (request == null) {
        throw new NetException(ResultCode.INVALID_USAGE, "the receiver does not expect " + tag);
      }
      return request;
    }

    @Override
    public void closeRecv(RecvComm comm) {
      super.closeRecv(comm);
      posted.removeIf(each -> each.comm() == comm);
    }
  }

  /** Lets the hint of a receive stay with its request, which serves others later. */
  @Breaks(
      value = "NET-RECV-18",
      also = {"NET-TEST-05", "NET-MEM-03"})
  public static final class HintStaysWithTheRequest extends WrongNewestNet {
    private final Set<Request> hinted = ConcurrentHashMap.newKeySet();
    private final Set<Request> stillToCome = ConcurrentHashMap.newKeySet();

    @Override
    public @Nullable Request irecv(
        RecvComm comm,
        int n,
        MemoryHandle[] mrs,
        long[] offsets,
        long[] lengths,
        int[] tags,
        long @Nullable [] profilerHandles,
        int hints) {
      Request request = super.irecv(comm, n, mrs, offsets, lengths, tags, profilerHandles, hints);
      if (request != null && (hints & OPTIONAL_RECV_COMPLETION) != 0) {
        hinted.add(request);
      }
      return request;
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      for (Request each : stillToCome) {
        if (isOver(each)) {
          stillToCome.remove(each);
        }
      }
      boolean done = super.test(request, sizes);
      if (!done && hinted.contains(request)) {
        stillToCome.add(request);
        return true;
      }
      return done;
    }

    private boolean isOver(Request request) {
      try {
        return super.test(request, null);
      } catch (NetException e) {
        return true; // its comm is closed or has failed
      }
    }
  }

  /** Takes a reduction more than it has places, and knows no more of it. */
  @Breaks(value = "COLL-11", also = "NET-THREAD-02")
  public static final class TakesMoreThanItHasPlaces extends WrongCollNet {
    private record Lost() implements Request {}

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
      Request request =
          super.iallreduce(comm, sendMr, sendOffset, recvMr, recvOffset, count, dataType, op);
      return request == null ? new Lost() : request;
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      return !(request instanceof Lost) && super.test(request, sizes);
    }
  }

  /** Takes a member's own bytes to lie where they belong in the window, if both have one handle. */
  @Breaks("COLL-23")
  public static final class TakesOneHandleForInPlace extends WrongNewestCollNet {
    private final Map<CollComm, Integer> ranks = new ConcurrentHashMap<>();

    @Override
    public CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm) {
      CollComm comm = super.connect(handles, nranks, rank, listenComm);
      ranks.put(comm, rank);
      return comm;
    }

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
      Integer rank = comm == null ? null : ranks.get(comm);
      boolean inPlace = rank != null && windowBytes > 0 && n > 0 && recvMrs[0] == sendMr;
      return super.iallgather(
          comm,
          sendMr,
          inPlace
              ? recvOffsets[0] + Math.clamp(rank * bytesPerRank - windowOffset, 0, windowBytes)
              : sendOffset,
          n,
          recvMrs,
          recvOffsets,
          recvLengths,
          bytesPerRank,
          windowOffset,
          windowBytes);
    }

    @Override
    public void closeColl(CollComm comm) {
      super.closeColl(comm);
      ranks.remove(comm);
    }
  }

  /** Waits for members that have left, if their part of an operation is nothing. */
  @Breaks("COLL-19")
  public static final class WaitsForNothingOfAMemberThatLeft extends WrongCollNet {
    private final Set<Request> empty = ConcurrentHashMap.newKeySet();
    private final Set<Request> waiting = ConcurrentHashMap.newKeySet();

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
      try {
        Request request =
            super.iallreduce(comm, sendMr, sendOffset, recvMr, recvOffset, count, dataType, op);
        if (request != null && count == 0) {
          empty.add(request);
        } else if (request != null) {
          empty.remove(request);
        }
        return request;
      } catch (NetException e) {
        if (count == 0 && e.result() == ResultCode.REMOTE_ERROR) {
          return null;
        }
        throw e;
      }
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      if (request != null && waiting.contains(request)) {
        return false;
      }
      try {
        return super.test(request, sizes);
      } catch (NetException e) {
        if (e.result() == ResultCode.REMOTE_ERROR && empty.remove(request)) {
          waiting.add(request);
          return false;
        }
        throw e;
      }
    }
  }
}
