// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.NetProfiler;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.NetProperties;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Networks whose mistakes show only after a while, after many calls, or in a rare order. */
public final class HiddenMistakes {
  private HiddenMistakes() {}

  private static void pause(long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /** Gives the listener time before the second call for an attempt, if it has not called accept. */
  @Breaks("NET-CONN-07")
  public static final class WaitsInTheSecondConnect extends WrongNewestNet {
    private final Map<Long, Integer> first = new ConcurrentHashMap<>();
    private final AtomicInteger accepts = new AtomicInteger();

    @Override
    public @Nullable SendComm connect(
        NetContext context,
        int device,
        MemorySegment handle,
        @Nullable DeviceHandle[] deviceHandle) {
      Integer before = first.put(handle.address(), -1);
      if (before != null && before == accepts.get()) {
        pause(180);
      }
      SendComm comm = super.connect(context, device, handle, deviceHandle);
      if (comm == null && before == null) {
        first.put(handle.address(), accepts.get());
      } else if (comm != null) {
        first.remove(handle.address());
      }
      return comm;
    }

    @Override
    public @Nullable RecvComm accept(ListenComm listenComm, @Nullable DeviceHandle[] deviceHandle) {
      accepts.incrementAndGet();
      return super.accept(listenComm, deviceHandle);
    }
  }

  /** Gives a comm up if nothing was accepted for two seconds. */
  @Breaks("NET-CONN-12")
  public static final class WaitsTwoSecondsForTheOtherSide extends WrongNewestNet {
    /** The first isend of a comm. */
    private record First(long nanos, int accepted) {}

    private final Map<SendComm, First> firsts = new ConcurrentHashMap<>();
    private final AtomicInteger accepted = new AtomicInteger();

    @Override
    public @Nullable RecvComm accept(ListenComm listenComm, @Nullable DeviceHandle[] deviceHandle) {
      RecvComm comm = super.accept(listenComm, deviceHandle);
      if (comm != null) {
        accepted.incrementAndGet();
      }
      return comm;
    }

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag, long profilerHandle) {
      Request request = super.isend(comm, mr, offset, length, tag, profilerHandle);
      First first = firsts.computeIfAbsent(comm, _ -> new First(System.nanoTime(), accepted.get()));
      if (request == null
          && first.accepted() == accepted.get()
          && System.nanoTime() - first.nanos() > TimeUnit.SECONDS.toNanos(2)) {
        throw new NetException(ResultCode.TIMEOUT, "nobody has accepted the connection");
      }
      return request;
    }
  }

  /** Adds up the pointer types of a virtual device's parts: twice HOST is CUDA. */
  @Breaks("NET-VDEV-03")
  public static final class AddsUpPointerTypes extends WrongNewestNet {
    @Override
    public NetProperties getProperties(int device) {
      NetProperties p = super.getProperties(device);
      int parts = p.virtualDevice().devices().size();
      return new NetProperties(
          p.name(),
          p.pciPath(),
          p.guid(),
          p.ptrSupport() * parts,
          p.regIsGlobal(),
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
  }

  /** Waits in init until the process that started this one has no listener. */
  @Breaks("NET-INIT-04")
  public static final class WaitsForTheListenersOfAnotherProcess extends WrongNewestNet {
    private static final AtomicInteger OPEN = new AtomicInteger();

    private static Path file(long process) {
      return Path.of(System.getProperty("java.io.tmpdir"), "nitinol-listens-" + process);
    }

    @Override
    public NetContext init(
        long commId, NetCommConfig config, DebugLogger logger, @Nullable NetProfiler profiler) {
      ProcessHandle parent = ProcessHandle.current().parent().orElse(null);
      while (parent != null && parent.isAlive() && Files.exists(file(parent.pid()))) {
        pause(10);
      }
      return super.init(commId, config, logger, profiler);
    }

    @Override
    public ListenComm listen(NetContext context, int device, MemorySegment handle) {
      ListenComm comm = super.listen(context, device, handle);
      note(1);
      return comm;
    }

    @Override
    public void closeListen(ListenComm comm) {
      super.closeListen(comm);
      note(-1);
    }

    private static synchronized void note(int more) {
      Path file = file(ProcessHandle.current().pid());
      try {
        if (OPEN.addAndGet(more) == 0) {
          Files.deleteIfExists(file);
        } else if (!Files.exists(file)) {
          Files.createFile(file);
          file.toFile().deleteOnExit();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Makes large memory present by a zero in each of its pages. */
  @Breaks(
      value = "NET-REG-05",
      also = {"NET-CLOSE-04", "NET-RECV-05", "NET-RECV-06", "NET-SEND-10", "NET-VDEV-03"})
  public static final class WritesToEachPage extends WrongNewestNet {
    private static final long LARGE = 64 << 10;
    private static final long PAGE = 4096;

    @Override
    public MemoryHandle regMr(Comm comm, Memory memory) {
      MemoryHandle mr = super.regMr(comm, memory);
      MemorySegment segment = memory.segment();
      if (segment != null && memory.size() >= LARGE && !segment.isReadOnly()) {
        for (long at = 0; at < memory.size() && at < LARGE; at += PAGE) {
          segment.set(ValueLayout.JAVA_BYTE, at, (byte) 0);
        }
      }
      return mr;
    }
  }

  /** Does not look at the handle of a message of 0 bytes. */
  @Breaks("NET-SEND-07")
  public static final class SendsNothingFromAnywhere extends WrongNewestNet {
    private final Map<Comm, MemoryHandle> live = new ConcurrentHashMap<>();

    @Override
    public MemoryHandle regMr(Comm comm, Memory memory) {
      MemoryHandle mr = super.regMr(comm, memory);
      live.putIfAbsent(comm, mr);
      return mr;
    }

    @Override
    public void deregMr(Comm comm, MemoryHandle handle) {
      super.deregMr(comm, handle);
      live.remove(comm, handle);
    }

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag, long profilerHandle) {
      MemoryHandle any = length == 0 && offset == 0 && mr != null ? live.get(comm) : null;
      return super.isend(comm, any != null ? any : mr, offset, length, tag, profilerHandle);
    }
  }

  /** Waits once for the next receive, if the last one has another tag. */
  @Breaks("NET-SEND-01")
  public static final class WaitsForItsTag extends WrongNewestNet {
    private final Set<SendComm> waited = ConcurrentHashMap.newKeySet();
    private volatile int posted;

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
      posted = request != null && n == 1 ? tags[0] : posted;
      return request;
    }

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag, long profilerHandle) {
      Request request = super.isend(comm, mr, offset, length, tag, profilerHandle);
      if (request == null && tag != posted && waited.add(comm)) {
        pause(180);
      }
      return request;
    }
  }

  /** Refuses an attempt that is not continued within some hundred calls of accept. */
  @Breaks("NET-CONN-09")
  public static final class CountsTheCallsOfAccept extends WrongNewestNet {
    private static final int MOST = 300;

    private final Set<Long> begun = ConcurrentHashMap.newKeySet();
    private final AtomicInteger accepts = new AtomicInteger();

    @Override
    public @Nullable SendComm connect(
        NetContext context,
        int device,
        MemorySegment handle,
        @Nullable DeviceHandle[] deviceHandle) {
      if (accepts.getAndSet(0) > MOST && begun.contains(handle.address())) {
        throw new NetException(ResultCode.REMOTE_ERROR, "the listener does not wait any more");
      }
      SendComm comm = super.connect(context, device, handle, deviceHandle);
      if (comm == null) {
        begun.add(handle.address());
      } else {
        begun.remove(handle.address());
      }
      return comm;
    }

    @Override
    public @Nullable RecvComm accept(ListenComm listenComm, @Nullable DeviceHandle[] deviceHandle) {
      accepts.incrementAndGet();
      return super.accept(listenComm, deviceHandle);
    }
  }

  /** Counts the bytes of a comm in an int, and takes no more when that is negative. */
  @Breaks("NET-SEND-08")
  public static final class CountsBytesInAnInt extends WrongNewestNet {
    private final Map<SendComm, AtomicLong> sent = new ConcurrentHashMap<>();

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag, long profilerHandle) {
      if (comm == null) {
        return super.isend(comm, mr, offset, length, tag, profilerHandle);
      }
      AtomicLong bytes = sent.computeIfAbsent(comm, _ -> new AtomicLong());
      if (bytes.intValue() < 0) {
        return null;
      }
      Request request = super.isend(comm, mr, offset, length, tag, profilerHandle);
      if (request != null) {
        bytes.addAndGet(length);
      }
      return request;
    }
  }
}
