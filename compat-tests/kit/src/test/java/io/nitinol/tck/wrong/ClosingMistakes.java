// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Networks that close comms wrongly. */
public final class ClosingMistakes {
  /**
   * How long a close that takes too long takes. The kit allows 5 s on a usual machine, and 18 s on
   * the slowest that it measures with the patience of a row, twelve times as slow.
   */
  private static final long TOO_LONG = TimeUnit.SECONDS.toNanos(20);

  private ClosingMistakes() {}

  private static void waitTooLong() {
    long end = System.nanoTime() + TOO_LONG;
    while (System.nanoTime() - end < 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  /** Complains about receives that are under way when it is closed. */
  @Breaks(value = "NET-CLOSE-02", also = "NET-REG-09")
  public static final class RefusesToCloseInFlight extends WrongNet {
    private final Map<Request, RecvComm> receives =
        Collections.synchronizedMap(new IdentityHashMap<>());

    @Override
    public @Nullable Request irecv(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
      Request request = net.irecv(comm, n, mrs, offsets, lengths, tags);
      if (request != null) {
        receives.put(request, comm);
      }
      return request;
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      boolean done;
      try {
        done = net.test(request, sizes);
      } catch (NetException e) {
        if (request != null && e.result() != ResultCode.INVALID_ARGUMENT) {
          receives.remove(request);
        }
        throw e;
      }
      if (done) {
        receives.remove(request);
      }
      return done;
    }

    @Override
    public void closeRecv(RecvComm comm) {
      net.closeRecv(comm);
      if (receives.values().removeIf(receiving -> receiving.equals(comm))) {
        throw new NetException(ResultCode.INVALID_USAGE, "receives are in flight");
      }
    }
  }

  /** Hopes for twenty seconds that a large message still gets through. */
  @Breaks("NET-CLOSE-02")
  public static final class WaitsForLargeSendsInClose extends WrongNet {
    private static final long LARGE = 4 << 20;

    private final Set<SendComm> busy = ConcurrentHashMap.newKeySet();

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      Request request = net.isend(comm, mr, offset, length, tag);
      if (request != null && length == LARGE) {
        busy.add(comm);
      }
      return request;
    }

    @Override
    public void closeSend(SendComm comm) {
      if (comm != null && busy.remove(comm)) {
        waitTooLong();
      }
      net.closeSend(comm);
    }
  }

  /** Has a last byte on its way into a receive when that is closed. */
  @Breaks("NET-CLOSE-03")
  public static final class WritesAfterTheClose extends WrongNet {
    private final Map<MemoryHandle, MemorySegment> memory = new ConcurrentHashMap<>();
    private final Map<RecvComm, MemorySegment> posted = new ConcurrentHashMap<>();
    private final Deque<MemorySegment> late = new ArrayDeque<>();

    @Override
    public MemoryHandle regMr(Comm comm, Memory registered) {
      MemoryHandle handle = net.regMr(comm, registered);
      MemorySegment segment = registered.segment();
      if (segment != null && segment.byteSize() >= 1 << 20 && !segment.isReadOnly()) {
        memory.put(handle, segment);
      }
      return handle;
    }

    @Override
    public @Nullable Request irecv(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
      Request request = net.irecv(comm, n, mrs, offsets, lengths, tags);
      if (request != null && memory.containsKey(mrs[0])) {
        posted.put(comm, memory.get(mrs[0]));
      }
      return request;
    }

    @Override
    public synchronized void closeRecv(RecvComm comm) {
      net.closeRecv(comm);
      MemorySegment segment = posted.remove(comm);
      if (segment != null) {
        late.clear();
        late.add(segment);
      }
    }

    @Override
    public synchronized boolean test(Request request, int @Nullable [] sizes) {
      MemorySegment segment = late.poll();
      if (segment != null && segment.scope().isAlive()) {
        segment.set(ValueLayout.JAVA_BYTE, 0, (byte) ~segment.get(ValueLayout.JAVA_BYTE, 0));
      }
      return net.test(request, sizes);
    }
  }

  /** Drops what has arrived when it hears that the sender has closed. */
  @Breaks("NET-CLOSE-04")
  public static final class ForgetsArrivedMessagesAtTheClose extends WrongNet {
    private final Map<ListenComm, String> handles = new ConcurrentHashMap<>();
    private final Map<String, Deque<SendComm>> connected = new ConcurrentHashMap<>();
    private final Map<RecvComm, SendComm> peers = new ConcurrentHashMap<>();
    private final Map<Request, RecvComm> receives =
        Collections.synchronizedMap(new IdentityHashMap<>());
    private final Set<SendComm> closed = ConcurrentHashMap.newKeySet();

    @Override
    public ListenComm listen(int device, MemorySegment handle) {
      ListenComm comm = net.listen(device, handle);
      handles.put(comm, text(handle));
      return comm;
    }

    @Override
    public @Nullable SendComm connect(int device, MemorySegment handle) {
      String listener = text(handle);
      SendComm comm = net.connect(device, handle);
      if (comm != null) {
        connected.computeIfAbsent(listener, key -> new ArrayDeque<>()).add(comm);
      }
      return comm;
    }

    @Override
    public @Nullable RecvComm accept(ListenComm listenComm) {
      RecvComm comm = net.accept(listenComm);
      Deque<SendComm> peer = comm == null ? null : connected.get(handles.get(listenComm));
      if (peer != null && !peer.isEmpty()) {
        peers.put(comm, peer.remove());
      }
      return comm;
    }

    @Override
    public @Nullable Request irecv(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
      Request request = net.irecv(comm, n, mrs, offsets, lengths, tags);
      if (request != null) {
        receives.put(request, comm);
      }
      return request;
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      RecvComm comm = request == null ? null : receives.get(request);
      SendComm peer = comm == null ? null : peers.get(comm);
      if (peer != null && closed.contains(peer)) {
        throw new NetException(ResultCode.REMOTE_ERROR, "the sender has closed");
      }
      boolean done = net.test(request, sizes);
      if (done) {
        receives.remove(request);
      }
      return done;
    }

    @Override
    public void closeSend(SendComm comm) {
      net.closeSend(comm);
      closed.add(comm);
    }

    private static String text(MemorySegment handle) {
      StringBuilder text = new StringBuilder();
      for (long i = 0; i < 32 && i < handle.byteSize(); i++) {
        text.append(handle.get(ValueLayout.JAVA_BYTE, i)).append(' ');
      }
      return text.toString();
    }
  }

  /** Waits for a peer that is gone. */
  @Breaks(
      value = "NET-CLOSE-05",
      also = {"NET-ERR-07", "NET-RECV-07"})
  public static final class DoesNotNoticeThatThePeerCloses extends WrongNet {
    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      try {
        return net.isend(comm, mr, offset, length, tag);
      } catch (NetException e) {
        return nothing(e);
      }
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      try {
        return net.test(request, sizes);
      } catch (NetException e) {
        nothing(e);
        return false;
      }
    }

    private static @Nullable Request nothing(NetException e) {
      if (e.result() != ResultCode.REMOTE_ERROR) {
        throw e;
      }
      return null;
    }
  }

  /** Takes all but the first connection along when the listener closes. */
  @Breaks("NET-CLOSE-07")
  public static final class ClosesCommsWithTheirListener extends WrongNet {
    private final Map<ListenComm, List<RecvComm>> accepted = new ConcurrentHashMap<>();
    private final Set<RecvComm> open = ConcurrentHashMap.newKeySet();
    private final Set<RecvComm> taken = ConcurrentHashMap.newKeySet();

    @Override
    public @Nullable RecvComm accept(ListenComm listenComm) {
      RecvComm comm = net.accept(listenComm);
      if (comm != null) {
        accepted.computeIfAbsent(listenComm, key -> new ArrayList<>()).add(comm);
        open.add(comm);
      }
      return comm;
    }

    @Override
    public void closeListen(ListenComm comm) {
      net.closeListen(comm);
      List<RecvComm> comms = accepted.remove(comm);
      if (comms != null) {
        for (RecvComm recv : comms.subList(1, comms.size())) {
          if (open.remove(recv)) {
            net.closeRecv(recv);
            taken.add(recv);
          }
        }
      }
    }

    @Override
    public void closeRecv(RecvComm comm) {
      if (comm != null && taken.remove(comm)) {
        return;
      }
      net.closeRecv(comm);
      open.remove(comm);
    }
  }

  /**
   * Answers with a comm one call later than it has it, and forgets those that wait for the call.
   */
  @Breaks("NET-CLOSE-07")
  public static final class ForgetsHalfAcceptedOnes extends WrongNet {
    private final Map<ListenComm, RecvComm> waiting = new ConcurrentHashMap<>();

    @Override
    public @Nullable RecvComm accept(ListenComm listenComm) {
      RecvComm before = listenComm == null ? null : waiting.remove(listenComm);
      if (before != null) {
        return before;
      }
      RecvComm comm = net.accept(listenComm);
      if (comm != null) {
        waiting.put(listenComm, comm);
      }
      return null;
    }
  }

  /** Takes 20 s to close a listener that has taken a connection and not yet given its comm. */
  @Breaks("NET-CLOSE-02")
  public static final class WaitsForWhatIsHalfAccepted extends WrongNet {
    private final Map<MemorySegment, ListenComm> listeners = new ConcurrentHashMap<>();
    private final Map<Long, ListenComm> attempts = new ConcurrentHashMap<>();
    private final Set<ListenComm> halfAccepted = ConcurrentHashMap.newKeySet();

    @Override
    public ListenComm listen(int device, MemorySegment handle) {
      ListenComm comm = super.listen(device, handle);
      listeners.put(handle, comm);
      return comm;
    }

    @Override
    public @Nullable SendComm connect(int device, MemorySegment handle) {
      Long attempt = handle == null ? 0L : handle.address();
      if (handle != null) {
        listeners.forEach((own, listener) -> {
          if (own.mismatch(handle) < 0) {
            attempts.put(attempt, listener);
          }
        });
      }
      boolean underWay = false;
      try {
        SendComm comm = super.connect(device, handle);
        underWay = comm == null;
        return comm;
      } finally {
        if (!underWay) {
          attempts.remove(attempt);
        }
      }
    }

    @Override
    public @Nullable RecvComm accept(ListenComm comm) {
      RecvComm accepted = super.accept(comm);
      if (accepted != null) {
        halfAccepted.remove(comm);
      } else if (attempts.containsValue(comm)) {
        halfAccepted.add(comm);
      }
      return accepted;
    }

    @Override
    public void closeListen(ListenComm comm) {
      if (comm != null) {
        listeners.values().removeIf(comm::equals);
        attempts.values().removeIf(comm::equals);
        if (halfAccepted.remove(comm)) {
          waitTooLong();
        }
      }
      super.closeListen(comm);
    }
  }
}
