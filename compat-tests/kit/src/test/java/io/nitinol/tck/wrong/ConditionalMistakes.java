// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Networks that are right but for some lengths, some pieces, some devices or some moments. */
public final class ConditionalMistakes {
  private ConditionalMistakes() {}

  /** Ends every attempt to connect of the instance together with one of its contexts. */
  @Breaks("NET-INIT-08")
  public static final class FinalizeEndsAllAttempts extends WrongNewestNet {
    private final Set<Long> underWay = ConcurrentHashMap.newKeySet();
    private final Set<Long> ended = ConcurrentHashMap.newKeySet();

    @Override
    public @Nullable SendComm connect(
        NetContext context,
        int device,
        MemorySegment handle,
        @Nullable DeviceHandle[] deviceHandle) {
      if (ended.remove(handle.address())) {
        throw new NetException(ResultCode.INVALID_ARGUMENT, "the attempt to connect is over");
      }
      SendComm comm = super.connect(context, device, handle, deviceHandle);
      if (comm == null) {
        underWay.add(handle.address());
      } else {
        underWay.remove(handle.address());
      }
      return comm;
    }

    @Override
    public void finalizeContext(NetContext context) {
      super.finalizeContext(context);
      ended.addAll(underWay);
      underWay.clear();
    }
  }

  /** Counts the virtual devices of all instances as its own. */
  @Breaks("NET-INIT-05")
  public static final class SharesVirtualDevices extends WrongNewestNet {
    private static final AtomicInteger ALL = new AtomicInteger();
    private final AtomicInteger own = new AtomicInteger();

    @Override
    public int makeVDevice(VirtualDevice devices) {
      int made = super.makeVDevice(devices);
      own.incrementAndGet();
      ALL.incrementAndGet();
      return made;
    }

    @Override
    public void finalizeContext(NetContext context) {
      super.finalizeContext(context);
      ALL.addAndGet(-own.getAndSet(0));
    }

    @Override
    public int devices() {
      return super.devices() + ALL.get() - own.get();
    }

    @Override
    public NetProperties getProperties(int device) {
      return super.getProperties(device >= super.devices() && device < devices() ? 0 : device);
    }
  }

  /** Loses the last byte of a long message of odd length through a virtual device. */
  @Breaks("NET-VDEV-03")
  public static final class HalvesOddLengths extends WrongNewestNet {
    private final AtomicInteger made = new AtomicInteger();
    private final Set<SendComm> virtual = ConcurrentHashMap.newKeySet();

    @Override
    public int makeVDevice(VirtualDevice devices) {
      int number = super.makeVDevice(devices);
      made.incrementAndGet();
      return number;
    }

    @Override
    public @Nullable SendComm connect(
        NetContext context,
        int device,
        MemorySegment handle,
        @Nullable DeviceHandle[] deviceHandle) {
      SendComm comm = super.connect(context, device, handle, deviceHandle);
      if (comm != null && device >= devices() - made.get()) {
        virtual.add(comm);
      }
      return comm;
    }

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag, long profilerHandle) {
      boolean halved = comm != null && virtual.contains(comm) && length > 8192;
      return super.isend(comm, mr, offset, halved ? length / 2 * 2 : length, tag, profilerHandle);
    }
  }

  /** Looks at the first piece of a flush only. */
  @Breaks("NET-FLUSH-04")
  public static final class ChecksTheFirstPieceOfAFlush extends WrongNewestNet {
    @Override
    public @Nullable Request iflush(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
      return super.iflush(comm, n > 1 && n <= mrs.length ? 1 : n, mrs, offsets, lengths);
    }
  }

  /** Takes the room of a receive for a multiple of eight bytes, which may not be registered. */
  @Breaks(
      value = "NET-RECV-06",
      also = {"NET-MEM-03", "NET-RECV-16", "NET-VDEV-03"})
  public static final class RoundsTheRoomUp extends WrongNewestNet {
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
      long[] rounded = Arrays.stream(lengths).map(length -> (length + 7) / 8 * 8).toArray();
      return super.irecv(comm, n, mrs, offsets, rounded, tags, profilerHandles, hints);
    }
  }

  /** Moves a comm on for the tests of its sixteen oldest receives alone. */
  @Breaks(value = "NET-TEST-03", also = "NET-MEM-03")
  public static final class MovesForTheOldestSixteen extends WrongNewestNet {
    private static final int WINDOW = 16;

    private final Map<RecvComm, Deque<Request>> receives = new HashMap<>();

    @Override
    public synchronized @Nullable Request irecv(
        RecvComm comm,
        int n,
        MemoryHandle[] mrs,
        long[] offsets,
        long[] lengths,
        int[] tags,
        long @Nullable [] profilerHandles,
        int hints) {
      Request request = super.irecv(comm, n, mrs, offsets, lengths, tags, profilerHandles, hints);
      if (request != null) {
        receives.computeIfAbsent(comm, each -> new ArrayDeque<>()).add(request);
      }
      return request;
    }

    @Override
    public synchronized boolean test(Request request, int @Nullable [] sizes) {
      for (Deque<Request> each : receives.values()) {
        if (each.contains(request)
            && each.stream().limit(WINDOW).noneMatch(oldest -> oldest == request)) {
          return false;
        }
      }
      boolean ended = true;
      try {
        ended = super.test(request, sizes);
        return ended;
      } finally {
        if (ended) {
          receives.values().forEach(each -> each.remove(request));
        }
      }
    }

    @Override
    public synchronized void closeRecv(RecvComm comm) {
      receives.remove(comm);
      super.closeRecv(comm);
    }
  }

  /** Takes at most 32 KiB of what was sent before a sender closed, on other comms as well. */
  @Breaks(
      value = "NET-CLOSE-04",
      also = {"NET-CONN-22", "NET-MEM-03", "NET-TEST-02"})
  public static final class DrainsLittle extends WrongNewestNet {
    private static final long MOST = 32 << 10;

    private final AtomicLong rest = new AtomicLong(Long.MAX_VALUE);
    private final Set<Request> receives = ConcurrentHashMap.newKeySet();

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
      if (request != null) {
        receives.add(request);
      }
      return request;
    }

    @Override
    public @Nullable SendComm connect(
        NetContext context,
        int device,
        MemorySegment handle,
        @Nullable DeviceHandle[] deviceHandle) {
      rest.set(Long.MAX_VALUE);
      return super.connect(context, device, handle, deviceHandle);
    }

    @Override
    public void closeSend(SendComm comm) {
      super.closeSend(comm);
      rest.set(MOST);
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      int[] said = sizes == null ? new int[8] : sizes;
      boolean done = super.test(request, said);
      boolean received = done && receives.remove(request);
      if (received && rest.get() != Long.MAX_VALUE && rest.addAndGet(-said[0]) < 0) {
        throw new NetException(ResultCode.REMOTE_ERROR, "the sender has gone");
      }
      return done;
    }
  }
}
