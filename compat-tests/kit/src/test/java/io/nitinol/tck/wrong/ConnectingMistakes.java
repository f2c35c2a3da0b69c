// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Networks whose listen, connect or accept is wrong. */
public final class ConnectingMistakes {
  private ConnectingMistakes() {}

  /** Takes 150 ms for a listen on its second device. */
  @Breaks("NET-CONN-01")
  public static final class ListensLate extends WrongNet {

    @Override
    public ListenComm listen(int device, MemorySegment handle) {
      if (device == 1) {
        tryAtRest(() -> false);
      }
      return net.listen(device, handle);
    }
  }

  /** Waits in connect for somebody to accept, on its second device. */
  @Breaks("NET-CONN-07")
  public static final class ConnectWaitsForAccept extends WrongNet {

    @Override
    public @Nullable SendComm connect(int device, MemorySegment handle) {
      @Nullable SendComm[] comm = {net.connect(device, handle)};
      if (comm[0] == null && device == 1) {
        tryAtRest(() -> {
          comm[0] = net.connect(device, handle);
          return comm[0] != null;
        });
      }
      return comm[0];
    }
  }

  /** Waits in accept for somebody to connect, on its second device. */
  @Breaks("NET-CONN-08")
  public static final class AcceptWaitsForConnect extends WrongNet {
    private final Set<ListenComm> second = ConcurrentHashMap.newKeySet();

    @Override
    public ListenComm listen(int device, MemorySegment handle) {
      ListenComm listener = net.listen(device, handle);
      if (device == 1) {
        second.add(listener);
      }
      return listener;
    }

    @Override
    public @Nullable RecvComm accept(ListenComm listenComm) {
      @Nullable RecvComm[] comm = {net.accept(listenComm)};
      if (comm[0] == null && second.contains(listenComm)) {
        tryAtRest(() -> {
          comm[0] = net.accept(listenComm);
          return comm[0] != null;
        });
      }
      return comm[0];
    }
  }

  /** Never accepts again where forty calls in a row found nobody. */
  @Breaks("NET-CONN-09")
  public static final class AcceptGivesUp extends WrongNet {

    private static final int MOST = 40;

    private final Map<ListenComm, Integer> empty = new ConcurrentHashMap<>();

    @Override
    public @Nullable RecvComm accept(ListenComm listenComm) {
      if (listenComm == null || empty.getOrDefault(listenComm, 0) < MOST) {
        RecvComm comm = net.accept(listenComm);
        if (comm != null) {
          empty.remove(listenComm);
        } else {
          empty.merge(listenComm, 1, Integer::sum);
        }
        return comm;
      }
      return null;
    }
  }

  /** Accepts 32 connections with one listener and no more. */
  @Breaks("NET-CONN-10")
  public static final class ListenerWearsOut extends WrongNet {

    private static final int MOST = 32;

    private final Map<ListenComm, Integer> accepted = new ConcurrentHashMap<>();

    @Override
    public @Nullable RecvComm accept(ListenComm listenComm) {
      if (listenComm != null && accepted.getOrDefault(listenComm, 0) >= MOST) {
        return null;
      }
      RecvComm comm = net.accept(listenComm);
      if (comm != null) {
        accepted.merge(listenComm, 1, Integer::sum);
      }
      return comm;
    }
  }

  /** Lets an attempt wait until the one before it at the same listener has come to an end. */
  @Breaks(value = "NET-CONN-11", also = "NET-CONN-17")
  public static final class OneAttemptAtATime extends WrongNet {

    private static final long LISTENER = 32;
    private static final long ATTEMPT = 112;

    /** The attempt that is under way at each listener. */
    private final Map<Long, Long> underWay = new ConcurrentHashMap<>();

    @Override
    public @Nullable SendComm connect(int device, MemorySegment handle) {
      if (handle.byteSize() < HANDLE_MAXSIZE) {
        return net.connect(device, handle);
      }
      long listener = handle.get(ValueLayout.JAVA_LONG_UNALIGNED, LISTENER);
      Long first = underWay.get(listener);
      if (first != null && first != handle.get(ValueLayout.JAVA_LONG_UNALIGNED, ATTEMPT)) {
        return null;
      }
      try {
        SendComm comm = net.connect(device, handle);
        if (comm != null) {
          underWay.remove(listener);
        } else {
          underWay.put(listener, handle.get(ValueLayout.JAVA_LONG_UNALIGNED, ATTEMPT));
        }
        return comm;
      } catch (NetException e) {
        underWay.remove(listener);
        throw e;
      }
    }
  }

  /** Fails a send on a comm whose other side has not been accepted. */
  @Breaks(
      value = "NET-CONN-12",
      also = {"NET-CONN-11", "NET-CONN-17"})
  public static final class NoSendBeforeAccept extends SocketBacklog {

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      if (comm != null && WAITING.contains(comm)) {
        throw new NetException(ResultCode.INVALID_USAGE, "not connected yet");
      }
      return net.isend(comm, mr, offset, length, tag);
    }
  }

  /** Asks for another call, again and again, where the listener's process has ended. */
  @Breaks("NET-CONN-14")
  public static final class RetriesForEver extends WrongNet {
    private static final long ATTEMPT = 112;

    @Override
    public @Nullable SendComm connect(int device, MemorySegment handle) {
      try {
        return net.connect(device, handle);
      } catch (NetException e) {
        if (OtherProcess.isNamedIn(e)) {
          handle.set(ValueLayout.JAVA_LONG_UNALIGNED, ATTEMPT, 0);
          return null;
        }
        throw e;
      }
    }
  }

  /** Believes every handle, and trips over the first that it cannot read. */
  @Breaks("NET-CONN-15")
  public static final class StumblesOverGarbage extends WrongNet {

    private static final int LETTERS = 26;

    @Override
    public @Nullable SendComm connect(int device, MemorySegment handle) {
      if (handle.byteSize() >= HANDLE_MAXSIZE
          && device == 0
          && handle.get(ValueLayout.JAVA_BYTE, 0) != 'N') {
        throw new IndexOutOfBoundsException("byte 0 is none of " + LETTERS + " letters");
      }
      return net.connect(device, handle);
    }
  }

  /** Fails accept for good where one who had connected is gone before it is accepted. */
  @Breaks("NET-CONN-17")
  public static final class ListenerFailsWithAPeer extends SocketBacklog {
    private final Set<SendComm> gone = ConcurrentHashMap.newKeySet();

    @Override
    public void closeSend(SendComm comm) {
      net.closeSend(comm);
      if (WAITING.contains(comm)) {
        gone.add(comm);
      }
    }

    @Override
    public @Nullable RecvComm accept(ListenComm listenComm) {
      SendComm next = listenComm == null ? null : next(listenComm);
      if (next != null && gone.contains(next)) {
        throw new NetException(ResultCode.REMOTE_ERROR, "a peer has gone");
      }
      return super.accept(listenComm);
    }
  }

  /** Has a thread for each attempt, which ends when the attempt does. */
  @Breaks("NET-CONN-19")
  public static final class AbandonedAttemptsKeepThreads extends WrongNet {

    private static final long ATTEMPT = 112;

    private final Map<Long, CountDownLatch> threads = new ConcurrentHashMap<>();

    @Override
    public @Nullable SendComm connect(int device, MemorySegment handle) {
      long before =
          handle.byteSize() < HANDLE_MAXSIZE
              ? 0
              : handle.get(ValueLayout.JAVA_LONG_UNALIGNED, ATTEMPT);
      @Nullable SendComm comm = null;
      boolean underWay = false;
      try {
        comm = net.connect(device, handle);
        underWay = comm == null;
      } finally {
        if (!underWay && threads.containsKey(before)) {
          threads.remove(before).countDown();
        }
      }
      if (underWay) {
        threads.computeIfAbsent(
            handle.get(ValueLayout.JAVA_LONG_UNALIGNED, ATTEMPT), this::startThread);
      }
      return comm;
    }

    private CountDownLatch startThread(long attempt) {
      CountDownLatch end = new CountDownLatch(1);
      Thread.ofPlatform()
          .daemon()
          .name(name() + " connect")
          .start(() -> {
            try {
              end.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
      return end;
    }
  }

  /**
   * Tries for 300 ms, and is late so: the kit does not count the time for which a thread that is
   * busy waits for a core.
   */
  private static void tryAtRest(BooleanSupplier once) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);
    while (!once.getAsBoolean() && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }
}
