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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Networks that are right but for a moment: while only some pieces have come, after a rest, when a
 * process has ended, beside a registration that goes.
 */
public final class MomentMistakes {
  private MomentMistakes() {}

  /** Writes into the sizes of a receive of several pieces before all of them have come. */
  @Breaks("NET-TEST-08")
  public static final class WritesSizesOfSomePieces extends WatchingNet {
    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      boolean done = super.test(request, sizes);
      Op op = op(request);
      if (!done && sizes != null && op != null && op.pieces > 1) {
        sizes[0] = (int) op.lengths[0];
      }
      return done;
    }
  }

  /** Keeps the length of each message that has come, in an array that doubles. */
  @Breaks(value = "NET-MEM-04", also = "NET-MEM-03")
  public static final class KeepsTheLengthOfEachMessage extends WatchingNet {
    private static final int FIRST = 1024;

    private static final class Lengths {
      long[] all = new long[FIRST];
      int count;
    }

    private final Map<Comm, Lengths> received = new ConcurrentHashMap<>();

    @Override
    void completed(Op op, int @Nullable [] sizes) {
      if (op.sending) {
        return;
      }
      Lengths lengths = received.get(op.comm);
      if (lengths == null) {
        lengths = new Lengths();
        received.put(op.comm, lengths);
      }
      if (lengths.count == lengths.all.length) {
        lengths.all = Arrays.copyOf(lengths.all, 2 * lengths.count);
      }
      lengths.all[lengths.count++] = op.lengths[0];
    }

    @Override
    public void closeRecv(RecvComm comm) {
      if (comm != null) {
        received.remove(comm);
      }
      super.closeRecv(comm);
    }
  }

  /** Looks at the first of several pieces only before it refuses read-only memory. */
  @Breaks("NET-REG-13")
  public static final class TakesReadOnlyPiecesBehindTheFirst extends WatchingNet {
    @Override
    public @Nullable Request irecv(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
      Memory last = memoryOfLast(n, mrs, offsets, lengths);
      if (last != null && last.segment().isReadOnly()) {
        MemoryHandle[] writable = mrs.clone();
        writable[n - 1] = mrs[0];
        return super.irecv(comm, n, writable, offsets, lengths, tags);
      }
      return super.irecv(comm, n, mrs, offsets, lengths, tags);
    }
  }

  /** Takes all comms for failed when the two ends of one disagree about a length. */
  @Breaks("NET-ERR-06")
  public static final class FailsTogetherOverALength extends WatchingNet {
    private final Set<Comm> open = ConcurrentHashMap.newKeySet();
    private final Set<Comm> failed = ConcurrentHashMap.newKeySet();

    @Override
    public @Nullable SendComm connect(int device, MemorySegment handle) {
      SendComm comm = super.connect(device, handle);
      if (comm != null) {
        open.add(comm);
      }
      return comm;
    }

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      if (comm != null && failed.contains(comm)) {
        throw new NetException(ResultCode.REMOTE_ERROR, "the peer has a failed connection");
      }
      return super.isend(comm, mr, offset, length, tag);
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      try {
        return super.test(request, sizes);
      } catch (NetException e) {
        if (e.result() == ResultCode.INVALID_USAGE) {
          failed.addAll(open);
        }
        throw e;
      }
    }

    @Override
    public void closeSend(SendComm comm) {
      if (comm != null) {
        open.remove(comm);
        failed.remove(comm);
      }
      super.closeSend(comm);
    }
  }

  /** Tells on stderr that a message is too long. */
  @Breaks("NET-INIT-07")
  public static final class PrintsWhatIsTooLong extends WrongNet {
    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      try {
        return super.test(request, sizes);
      } catch (NetException e) {
        if (e.result() == ResultCode.INVALID_USAGE) {
          System.err.println("message truncated");
        }
        throw e;
      }
    }
  }

  /** Looks at a listener half a second later when it has looked four times in vain. */
  @Breaks(value = "NET-CONN-11", also = "NET-CONN-17")
  public static final class LooksSeldomAfterLookingInVain extends WrongNet {
    private static final int OFTEN = 4;
    private static final long LATER = TimeUnit.MILLISECONDS.toNanos(500);

    private static final class Looks {
      int inVain;
      long next = System.nanoTime();
    }

    private final Map<ListenComm, Looks> listeners = new ConcurrentHashMap<>();

    @Override
    public @Nullable RecvComm accept(ListenComm listener) {
      if (listener == null) {
        return super.accept(listener);
      }
      Looks looks = listeners.computeIfAbsent(listener, each -> new Looks());
      if (System.nanoTime() - looks.next < 0) {
        return null;
      }
      RecvComm comm = super.accept(listener);
      if (comm == null && ++looks.inVain == OFTEN) {
        looks.inVain = 0;
        looks.next = System.nanoTime() + LATER;
      } else if (comm != null) {
        looks.inVain = 0;
      }
      return comm;
    }

    @Override
    public void closeListen(ListenComm listener) {
      if (listener != null) {
        listeners.remove(listener);
      }
      super.closeListen(listener);
    }
  }

  /** Takes a comm for failed that nobody has used for three seconds. */
  @Breaks(value = "NET-SEND-08", also = "NET-TEST-02")
  public static final class GivesUpACommThatRests extends WatchingNet {
    private static final long LONG = TimeUnit.SECONDS.toNanos(3);

    private final Map<Comm, AtomicLong> used = new ConcurrentHashMap<>();

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      AtomicLong last = comm == null ? null : used.get(comm);
      if (last != null && System.nanoTime() - last.get() > LONG) {
        throw new NetException(ResultCode.TIMEOUT, "not used for 3 s");
      }
      Request request = super.isend(comm, mr, offset, length, tag);
      if (request != null && last == null) {
        used.put(comm, new AtomicLong(System.nanoTime()));
      }
      return request;
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      Op op = op(request);
      AtomicLong last = op == null ? null : used.get(op.comm);
      if (last != null) {
        last.set(System.nanoTime());
      }
      return super.test(request, sizes);
    }

    @Override
    public void closeSend(SendComm comm) {
      if (comm != null) {
        used.remove(comm);
      }
      super.closeSend(comm);
    }
  }

  /** Takes a send for failed whose receiver takes nothing for two seconds. */
  @Breaks(value = "NET-SEND-08", also = "NET-TEST-02")
  public static final class GivesUpASendThatIsNotTaken extends WatchingNet {
    private static final long LONG = TimeUnit.SECONDS.toNanos(2);

    private final Map<Op, AtomicLong> begun = new ConcurrentHashMap<>();

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      Request request = super.isend(comm, mr, offset, length, tag);
      Op op = op(request);
      if (op != null) {
        begun.computeIfAbsent(op, each -> new AtomicLong()).set(System.nanoTime());
      }
      return request;
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      Op op = op(request);
      AtomicLong since = op == null || !op.sending ? null : begun.get(op);
      boolean done = super.test(request, sizes);
      if (!done && since != null && System.nanoTime() - since.get() > LONG) {
        throw new NetException(ResultCode.TIMEOUT, "not taken for 2 s");
      }
      return done;
    }

    @Override
    public void closeSend(SendComm comm) {
      begun.keySet().removeIf(op -> op.comm == comm);
      super.closeSend(comm);
    }
  }

  /** A receiver that does not read what is there when the process of the sender has ended. */
  @Breaks(value = "NET-CLOSE-04", also = "NET-MEM-03")
  public static final class DropsWhatAnEndedProcessSent extends WatchingNet {
    private final Map<Comm, List<ProcessHandle>> peers = new ConcurrentHashMap<>();

    @Override
    public @Nullable RecvComm accept(ListenComm listener) {
      RecvComm comm = super.accept(listener);
      if (comm != null) {
        peers.put(comm, ProcessHandle.current().children().toList());
      }
      return comm;
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      Op op = op(request);
      if (op != null
          && !op.sending
          && peers.getOrDefault(op.comm, List.of()).stream().anyMatch(peer -> !peer.isAlive())) {
        throw new NetException(ResultCode.REMOTE_ERROR, "the sender has gone");
      }
      return super.test(request, sizes);
    }

    @Override
    public void closeRecv(RecvComm comm) {
      if (comm != null) {
        peers.remove(comm);
      }
      super.closeRecv(comm);
    }
  }

  /** Does not find memory while a registration goes that is older. */
  @Breaks(value = "NET-THREAD-04", also = "NET-MEM-03")
  public static final class LosesMemoryWhileAnOlderOneGoes extends WrongNet {
    private static final long SHIFTING = 20_000;

    private final AtomicLong last = new AtomicLong();
    private final Map<MemoryHandle, Long> ages = new ConcurrentHashMap<>();
    private final Map<Comm, Long> going = new ConcurrentHashMap<>();

    @Override
    public MemoryHandle regMr(Comm comm, Memory memory) {
      MemoryHandle handle = super.regMr(comm, memory);
      ages.put(handle, last.incrementAndGet());
      return handle;
    }

    @Override
    public void deregMr(Comm comm, MemoryHandle handle) {
      Long age = handle == null ? null : ages.get(handle);
      super.deregMr(comm, handle);
      if (age != null && comm != null) {
        going.put(comm, age);
        long end = System.nanoTime() + SHIFTING;
        while (System.nanoTime() - end < 0) {
          Thread.onSpinWait();
        }
        going.remove(comm);
        ages.remove(handle);
      }
    }

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      Long age = mr == null ? null : ages.get(mr);
      if (age != null && comm != null && going.getOrDefault(comm, Long.MAX_VALUE) < age) {
        throw new NetException(ResultCode.INVALID_ARGUMENT, "no such memory");
      }
      return super.isend(comm, mr, offset, length, tag);
    }
  }
}
