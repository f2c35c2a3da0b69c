// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Networks that test or flush requests wrongly. */
public final class RequestMistakes {
  private RequestMistakes() {}

  /** Gives a request that never completes for a flush of 0 bytes. */
  @Breaks("NET-FLUSH-02")
  public static final class FlushesNothingForEver extends WrongNet {
    private static final class Endless implements Request {}

    private static final Request ENDLESS = new Endless();

    @Override
    public @Nullable Request iflush(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
      Request request = super.iflush(comm, n, mrs, offsets, lengths);
      return n == 1 && lengths[0] == 0 ? ENDLESS : request;
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      return request != ENDLESS && super.test(request, sizes);
    }
  }

  /** Answers every flush with null. */
  @Breaks(value = "NET-FLUSH-04", also = "NET-ERR-02")
  public static final class DoesNotLookAtFlushes extends WrongNet {
    @Override
    public @Nullable Request iflush(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
      return null;
    }
  }

  /** Gives a request that never completes for every flush. */
  @Breaks(value = "NET-FLUSH-04", also = "NET-FLUSH-02")
  public static final class FlushesForEver extends WrongNet {
    private static final class Endless implements Request {}

    private static final Request ENDLESS = new Endless();

    @Override
    public @Nullable Request iflush(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
      Request request = super.iflush(comm, n, mrs, offsets, lengths);
      return n == 0 ? request : ENDLESS;
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      return request != ENDLESS && super.test(request, sizes);
    }
  }

  /** Moves a comm on only when its oldest operation is tested. */
  @Breaks(value = "NET-TEST-03", also = "NET-ERR-05")
  public static final class MovesTheOldestOnly extends WatchingNet {
    private final Map<Comm, Deque<Request>> queues = new ConcurrentHashMap<>();

    private @Nullable Request started(Comm comm, @Nullable Request request) {
      if (request != null) {
        queues.computeIfAbsent(comm, key -> new ArrayDeque<>(512)).addLast(request);
      }
      return request;
    }

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      return started(comm, super.isend(comm, mr, offset, length, tag));
    }

    @Override
    public @Nullable Request irecv(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
      return started(comm, super.irecv(comm, n, mrs, offsets, lengths, tags));
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      Op op = op(request);
      Deque<Request> queue =
          op == null || sizes != null && sizes.length < op.pieces ? null : queues.get(op.comm);
      if (queue == null) {
        return super.test(request, sizes);
      }
      if (queue.peekFirst() != request) {
        return false;
      }
      try {
        boolean done = super.test(request, sizes);
        if (done) {
          queue.removeFirst();
        }
        return done;
      } catch (NetException e) {
        queue.removeFirst();
        throw e;
      }
    }

    @Override
    public void closeSend(SendComm comm) {
      if (comm != null) {
        queues.remove(comm);
      }
      super.closeSend(comm);
    }

    @Override
    public void closeRecv(RecvComm comm) {
      if (comm != null) {
        queues.remove(comm);
      }
      super.closeRecv(comm);
    }
  }

  /** Reports a receive complete once it has been asked often enough. */
  @Breaks("NET-TEST-05")
  public static final class CompletesOnItsOwn extends WatchingNet {
    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      boolean done = super.test(request, sizes);
      Op op = op(request);
      return done || op != null && !op.sending && op.tests > 15_000;
    }
  }

  /** Forgets to report the 200th receive of a KiB on a comm. */
  @Breaks("NET-TEST-05")
  public static final class DropsACompletion extends WrongNet {
    private final Map<RecvComm, int[]> counts = new ConcurrentHashMap<>();
    private final Set<Request> dropped = ConcurrentHashMap.newKeySet();

    @Override
    public @Nullable Request irecv(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
      Request request = super.irecv(comm, n, mrs, offsets, lengths, tags);
      if (request != null) {
        dropped.remove(request);
      }
      if (request != null && lengths[0] == 1 << 10) {
        int[] count = counts.get(comm);
        if (count == null) {
          count = new int[1];
          counts.put(comm, count);
        }
        if (++count[0] == 200) {
          dropped.add(request);
        }
      }
      return request;
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      return (request == null || !dropped.contains(request)) && super.test(request, sizes);
    }

    @Override
    public void closeRecv(RecvComm comm) {
      if (comm != null) {
        counts.remove(comm);
      }
      super.closeRecv(comm);
    }
  }

  /** While a send of a comm is in flight, the next ones share its request. */
  @Breaks(value = "NET-TEST-05", also = "NET-TEST-03")
  public static final class OneRequestForSeveralSends extends WrongNet {
    private static final class Shared implements Request {
      final ArrayDeque<Request> sends = new ArrayDeque<>();
    }

    private final Map<SendComm, Shared> requests = new ConcurrentHashMap<>();

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      Request request = super.isend(comm, mr, offset, length, tag);
      if (request == null) {
        return null;
      }
      Shared shared = requests.get(comm);
      if (shared == null) {
        shared = new Shared();
        requests.put(comm, shared);
      }
      shared.sends.add(request);
      return shared;
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      if (!(request instanceof Shared shared)) {
        return super.test(request, sizes);
      }
      Request first = shared.sends.peek();
      boolean done = super.test(first == null ? request : first, sizes);
      if (done) {
        shared.sends.remove();
      }
      return done;
    }

    @Override
    public void closeSend(SendComm comm) {
      super.closeSend(comm);
      requests.remove(comm);
    }
  }

  /** Reports a large receive complete while its last bytes are still under way. */
  @Breaks(value = "NET-TEST-09", also = "NET-SEND-08")
  public static final class ShowsBytesLate extends WatchingNet {
    @Override
    void completed(Op op, int @Nullable [] sizes) {
      if (op.sending || op.pieces != 1 || op.lengths[0] != 256 << 10) {
        return;
      }
      MemorySegment memory = op.memory[0];
      long last = op.offsets[0] + op.lengths[0] - 1;
      if (memory != null) {
        byte late = memory.get(ValueLayout.JAVA_BYTE, last);
        memory.set(ValueLayout.JAVA_BYTE, last, (byte) ~late);
        Thread.ofPlatform()
            .daemon()
            .name(name() + "-late")
            .start(() -> {
              LockSupport.parkNanos(5_000_000);
              try {
                memory.set(ValueLayout.JAVA_BYTE, last, late);
              } catch (IllegalStateException e) {
                return; // the memory is gone: nobody waits for the byte any more
              }
            });
      }
    }
  }
}
