// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.samples.netv5.SampleV5;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v5.Net;
import io.nitinol.spi.net.v5.NetProperties;
import io.nitinol.tck.session.NetSession;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Networks of version 4 or 5 that are wrong about what only those versions promise. */
public final class OldVersionMistakes {
  private OldVersionMistakes() {}

  /** Takes the size of a registration as an int, in a version before adapters look at it. */
  @Breaks("NET-REG-03")
  public static final class RegistersTooMuch extends WrongNetV4 {
    @Override
    public MemoryHandle regMr(Comm comm, Memory memory) {
      MemorySegment segment = memory.segment();
      return super.regMr(
          comm,
          segment != null && memory.size() > Integer.MAX_VALUE
              ? Memory.ofHost(segment.asSlice(0, Math.max(0, (int) memory.size())))
              : memory);
    }
  }

  /** Takes the handle of version 5 in version 4. */
  @Breaks(value = "NET-V4-01", also = "NET-CONN-03")
  public static final class V4HandleIsLonger extends WrongNetV4 {

    @Override
    public ListenComm listen(int device, MemorySegment handle) {
      ListenComm listener = net.listen(device, handle);
      MemorySegment more = handle.reinterpret(HANDLE_MAXSIZE + Long.BYTES);
      more.set(ValueLayout.JAVA_LONG_UNALIGNED, HANDLE_MAXSIZE, handle.address());
      return listener;
    }
  }

  /** Waits in the second of two connects of a thread until somebody accepts. */
  @Breaks("NET-V4-03")
  public static final class V4ConnectWaitsForAccept extends WrongNetV4 {
    /** Of the listener, in a handle of the toolkit, which the sample has. */
    private static final long KEY = 32;

    private static final AtomicInteger ACCEPTED = new AtomicInteger();
    private static final ThreadLocal<Long> LAST = new ThreadLocal<>();

    @Override
    public @Nullable SendComm connect(int device, MemorySegment handle) {
      int before = ACCEPTED.get();
      SendComm comm = net.connect(device, handle);
      long place = Integer.toUnsignedLong(handle.get(ValueLayout.JAVA_INT_UNALIGNED, KEY));
      Long last = LAST.get();
      long now = place + ((long) before << Integer.SIZE);
      LAST.set(now);
      // Only where nobody has accepted since the first, which went to another listener.
      if (last != null && last != now && last >> Integer.SIZE == before) {
        NetSession.within(TimeUnit.SECONDS.toNanos(6), () -> ACCEPTED.get() > before);
      }
      return comm;
    }

    @Override
    public @Nullable RecvComm accept(ListenComm listenComm) {
      RecvComm comm = net.accept(listenComm);
      ACCEPTED.incrementAndGet();
      return comm;
    }
  }

  /** Has one lock for accept and test, and waits in the former. */
  @Breaks("NET-V4-04")
  public static final class V4AcceptHoldsAllElse extends WrongNetV4 {
    private final ReentrantLock lock = new ReentrantLock();

    @Override
    public @Nullable RecvComm accept(ListenComm listenComm) {
      lock.lock();
      try {
        @Nullable RecvComm[] comm = new RecvComm[1];
        NetSession.within(
            TimeUnit.SECONDS.toNanos(6), () -> (comm[0] = net.accept(listenComm)) != null);
        return comm[0];
      } finally {
        lock.unlock();
      }
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      lock.lock();
      try {
        return net.test(request, sizes);
      } finally {
        lock.unlock();
      }
    }
  }

  /** Fills the properties of version 5 as it does those of version 6. */
  @Breaks(
      value = "NET-V5-01",
      also = {"NET-DEV-05", "NET-DEV-08"})
  public static final class DeclaresDmaBufInVersion5 implements Net {
    private final Net net = new SampleV5();

    @Override
    public NetProperties getProperties(int device) {
      NetProperties p = net.getProperties(device);
      return new NetProperties(
          p.name(),
          p.pciPath(),
          p.guid(),
          p.ptrSupport() | PointerType.DMABUF.mask(),
          p.speed(),
          p.port(),
          p.latency(),
          p.maxComms(),
          p.maxRecvs());
    }

    @Override
    public String name() {
      return net.name();
    }

    @Override
    public void init(DebugLogger logger) {
      net.init(logger);
    }

    @Override
    public int devices() {
      return net.devices();
    }

    @Override
    public ListenComm listen(int device, MemorySegment handle) {
      return net.listen(device, handle);
    }

    @Override
    public @Nullable SendComm connect(int device, MemorySegment handle) {
      return net.connect(device, handle);
    }

    @Override
    public @Nullable RecvComm accept(ListenComm listenComm) {
      return net.accept(listenComm);
    }

    @Override
    public MemoryHandle regMr(Comm comm, Memory memory) {
      return net.regMr(comm, memory);
    }

    @Override
    public void deregMr(Comm comm, MemoryHandle handle) {
      net.deregMr(comm, handle);
    }

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      return net.isend(comm, mr, offset, length, tag);
    }

    @Override
    public @Nullable Request irecv(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
      return net.irecv(comm, n, mrs, offsets, lengths, tags);
    }

    @Override
    public @Nullable Request iflush(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
      return net.iflush(comm, n, mrs, offsets, lengths);
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      return net.test(request, sizes);
    }

    @Override
    public void closeSend(SendComm comm) {
      net.closeSend(comm);
    }

    @Override
    public void closeRecv(RecvComm comm) {
      net.closeRecv(comm);
    }

    @Override
    public void closeListen(ListenComm comm) {
      net.closeListen(comm);
    }
  }

  /** Describes a device that does not exist as if it were the first. */
  @Breaks("NET-DEV-03")
  public static final class V4DescribesAnyDevice extends WrongNetV4 {
    @Override
    public io.nitinol.spi.net.v4.NetProperties getProperties(int device) {
      return net.getProperties(Math.max(0, Math.min(device, net.devices() - 1)));
    }
  }
}
