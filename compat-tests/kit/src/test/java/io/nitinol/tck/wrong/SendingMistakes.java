// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.net.socket.SocketNet;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Networks whose isend is wrong. */
public final class SendingMistakes {
  private SendingMistakes() {}

  /** Waits inside isend for the receive of a large message. */
  @Breaks("NET-SEND-01")
  public static final class WaitsForAReceive extends WrongNet {
    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      Request request = super.isend(comm, mr, offset, length, tag);
      if (request == null && length > 16 << 20) {
        long end = System.nanoTime() + 200_000_000;
        while (request == null && System.nanoTime() - end < 0) {
          LockSupport.parkNanos(1_000_000);
          request = super.isend(comm, mr, offset, length, tag);
        }
      }
      return request;
    }
  }

  /** Answers null to a send beyond its room, and sends it all the same when there is room. */
  @Breaks(value = "NET-SEND-02", also = "NET-RECV-03")
  public static final class SendsWhatItRefused extends WrongNewestNet {
    private record Refused(SendComm comm, MemoryHandle mr, long offset, long length, int tag) {}

    private final AtomicReference<@Nullable Refused> refused = new AtomicReference<>();

    public SendsWhatItRefused() {
      super(new SocketNet());
    }

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag, long profilerHandle) {
      Request request = super.isend(comm, mr, offset, length, tag, profilerHandle);
      if (request == null) {
        refused.compareAndSet(null, new Refused(comm, mr, offset, length, tag));
      }
      return request;
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      boolean done = super.test(request, sizes);
      Refused again = done ? refused.getAndSet(null) : null;
      if (again != null) {
        try {
          super.isend(again.comm(), again.mr(), again.offset(), again.length(), again.tag(), 0);
        } catch (NetException e) {
          // The comm has been closed since.
          return done;
        }
      }
      return done;
    }
  }

  /** Has room for eight sends only. */
  @Breaks("NET-SEND-03")
  public static final class HoldsEightSends extends WatchingNet {
    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      return inFlightOn(comm) >= 8 ? null : super.isend(comm, mr, offset, length, tag);
    }
  }

  /** Fails where there is no room for a send. */
  @Breaks("NET-SEND-04")
  public static final class ThrowsWhenFull extends WrongNewestNet {
    public ThrowsWhenFull() {
      super(new SocketNet());
    }

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag, long profilerHandle) {
      Request request = super.isend(comm, mr, offset, length, tag, profilerHandle);
      if (request == null) {
        throw new NetException(ResultCode.INTERNAL_ERROR, "unable to allocate a request");
      }
      return request;
    }
  }

  /** Reports large sends complete once it has begun with them. */
  @Breaks(value = "NET-SEND-10", also = "NET-CLOSE-04")
  public static final class CompletesSendsEarly extends WatchingNet {
    private final Queue<Request> begun = new ConcurrentLinkedQueue<>();

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      if (!begun.isEmpty()) { // allocates
        begun.removeIf(earlier -> earlier != request && ended(earlier));
      }
      Op op = op(request);
      if (op != null
          && op.live
          && op.sending
          && op.lengths[0] > 1 << 20
          && !begun.contains(request)) {
        if (!super.test(request, sizes)) {
          begun.add(request);
          if (sizes != null) {
            sizes[0] = (int) op.lengths[0];
          }
        }
        return true;
      }
      return super.test(request, sizes);
    }

    private boolean ended(Request request) {
      try {
        return super.test(request, null);
      } catch (NetException e) {
        return true; // it will not be missed
      }
    }
  }

  /** Changes the first byte of a large message that it has sent. */
  @Breaks("NET-SEND-11")
  public static final class ScramblesWhatItSent extends WatchingNet {
    @Override
    void completed(Op op, int @Nullable [] sizes) {
      if (op.sending && op.lengths[0] >= 1 << 20) {
        op.set(0, 0, (byte) ~op.get(0, 0));
      }
    }
  }

  /** Has one buffer for long messages: a long send waits for that of another comm. */
  @Breaks("NET-CONN-22")
  public static final class SendsOneLongMessageAtATime extends WatchingNet {
    private static final int LONG = 1 << 20;

    private @Nullable SendComm holder;
    private int held;

    @Override
    public synchronized @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      if (length < LONG) {
        return super.isend(comm, mr, offset, length, tag);
      }
      if (holder != null && holder != comm) {
        return null;
      }
      Request request = super.isend(comm, mr, offset, length, tag);
      if (request != null) {
        holder = comm;
        held++;
      }
      return request;
    }

    @Override
    synchronized void completed(Op op, int @Nullable [] sizes) {
      if (op.sending && op.comm == holder && op.lengths[0] >= LONG && --held == 0) {
        holder = null;
      }
    }

    @Override
    public synchronized void closeSend(SendComm comm) {
      if (comm != null && comm == holder) {
        holder = null;
        held = 0;
      }
      super.closeSend(comm);
    }
  }
}
