// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Networks that are right but for certain lengths, places and moments. */
public final class RareMistakes {
  private static final int MIB = 1 << 20;

  private RareMistakes() {}

  /** A network that looks at the sizes of receives also where nobody has asked for them. */
  abstract static class SizeWatchingNet extends WatchingNet {
    private final ThreadLocal<int[]> own = ThreadLocal.withInitial(() -> new int[8]);

    @Override
    public final boolean test(Request request, int @Nullable [] sizes) {
      return super.test(request, sizes == null ? own.get() : sizes);
    }

    @Override
    final void completed(Op op, int @Nullable [] sizes) {
      if (sizes != null) {
        completedWith(op, sizes);
      }
    }

    /** Called when an operation has completed, before its caller hears of it. */
    abstract void completedWith(Op op, int[] sizes);

    static void spoil(Op op, long index) {
      op.set(0, index, (byte) ~op.get(0, index));
    }
  }

  /** How often something has happened on each comm. */
  static final class Counts {
    private final Map<Comm, int[]> counts = new ConcurrentHashMap<>();

    int next(Comm comm) {
      int[] count = counts.get(comm);
      if (count == null) {
        count = new int[1];
        counts.put(comm, count);
      }
      return ++count[0];
    }

    void forget(@Nullable Comm comm) {
      if (comm != null) {
        counts.remove(comm);
      }
    }
  }

  /** Reports a byte too few from the 70,001st message of a comm on. */
  @Breaks("NET-RECV-04")
  public static final class MiscountsAfterManyMessages extends WatchingNet {
    private final Counts receives = new Counts();

    @Override
    void completed(Op op, int @Nullable [] sizes) {
      if (!op.sending && receives.next(op.comm) > 70_000 && sizes != null && sizes[0] > 0) {
        sizes[0]--;
      }
    }

    @Override
    public void closeRecv(RecvComm comm) {
      receives.forget(comm);
      super.closeRecv(comm);
    }
  }

  /** Throws from the test that follows every 500th completion of a comm, and then goes on. */
  @Breaks(
      value = "NET-TEST-02",
      also = {"NET-THREAD-02", "NET-THREAD-04"})
  public static final class ThrowsFromTestNowAndThen extends WatchingNet {
    private static final int PERIOD = 500;

    private final Counts completions = new Counts();
    private volatile @Nullable Comm due;

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      Op op = op(request);
      if (op != null && op.live && op.comm == due) {
        due = null;
        throw new NetException(ResultCode.SYSTEM_ERROR, "busy");
      }
      return super.test(request, sizes);
    }

    @Override
    void completed(Op op, int @Nullable [] sizes) {
      if (completions.next(op.comm) % PERIOD == 0) {
        due = op.comm;
      }
    }

    @Override
    public void closeSend(SendComm comm) {
      completions.forget(comm);
      super.closeSend(comm);
    }

    @Override
    public void closeRecv(RecvComm comm) {
      completions.forget(comm);
      super.closeRecv(comm);
    }
  }

  /** Throws from every 700th isend of a comm, as if there were no room, and then goes on. */
  @Breaks(
      value = "NET-SEND-08",
      also = {"NET-SEND-04", "NET-THREAD-02", "NET-THREAD-04"})
  public static final class ThrowsFromIsendNowAndThen extends WrongNet {
    private static final int PERIOD = 700;

    private final Counts sends = new Counts();

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      Request request = super.isend(comm, mr, offset, length, tag);
      if (request != null && sends.next(comm) % PERIOD == 0) {
        throw new NetException(ResultCode.SYSTEM_ERROR, "no buffer");
      }
      return request;
    }

    @Override
    public void closeSend(SendComm comm) {
      sends.forget(comm);
      super.closeSend(comm);
    }
  }

  /** Fails when a comm has 16 sends in flight, where no room is no failure. */
  @Breaks("NET-SEND-04")
  public static final class ThrowsWhenSixteenAreInFlight extends WatchingNet {
    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      if (inFlightOn(comm) >= 16) {
        throw new NetException(ResultCode.INTERNAL_ERROR, "unable to allocate requests");
      }
      return super.isend(comm, mr, offset, length, tag);
    }
  }

  /** Exchanges the messages of two receives of one piece if many are in flight. */
  @Breaks(value = "NET-RECV-03", also = "NET-SEND-02")
  public static final class SwapsWhereManyAreInFlight extends SizeWatchingNet {
    private static final int MANY = 24;

    /** The message to be exchanged: the receive it came by may be another one's by then. */
    private final Map<Comm, MemorySegment> firsts = new ConcurrentHashMap<>();

    private final Map<Op, Integer> crowded = new ConcurrentHashMap<>();

    @Override
    public @Nullable Request irecv(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
      Request request = super.irecv(comm, n, mrs, offsets, lengths, tags);
      Op op = op(request);
      if (op != null && n == 1 && inFlightOn(comm) > MANY) {
        crowded.put(op, n);
      }
      return request;
    }

    @Override
    void completedWith(Op op, int[] sizes) {
      if (crowded.remove(op) == null) {
        return;
      }
      MemorySegment memory = op.memory[0];
      if (memory == null || memory.isReadOnly()) {
        return;
      }
      MemorySegment message = memory.asSlice(op.offsets[0], sizes[0]);
      MemorySegment first = firsts.remove(op.comm);
      if (first == null) {
        firsts.put(op.comm, message);
        return;
      }
      long size = Math.min(first.byteSize(), message.byteSize());
      byte[] kept = message.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE);
      MemorySegment.copy(first, 0, message, 0, size);
      MemorySegment.copy(kept, 0, first, ValueLayout.JAVA_BYTE, 0, kept.length);
    }

    @Override
    public void closeRecv(RecvComm comm) {
      if (comm != null) {
        firsts.remove(comm);
        crowded.keySet().removeIf(op -> op.comm == comm);
      }
      super.closeRecv(comm);
    }
  }

  /** Spoils the last byte of a message of whole pages whose number is no power of two. */
  @Breaks("NET-SEND-08")
  public static final class SpoilsWholePages extends SizeWatchingNet {
    @Override
    void completedWith(Op op, int[] sizes) {
      int size = sizes[0];
      if (!op.sending && size > 0 && size % 4096 == 0 && Integer.bitCount(size) > 1) {
        spoil(op, size - 1);
      }
    }
  }

  /** Spoils the last byte of some lengths at some alignments. */
  @Breaks("NET-SEND-08")
  public static final class SpoilsOddLengthsAtOddPlaces extends SizeWatchingNet {
    @Override
    void completedWith(Op op, int[] sizes) {
      MemorySegment memory = op.memory[0];
      int size = sizes[0];
      if (!op.sending
          && memory != null
          && size % 8 == 5
          && (memory.address() + op.offsets[0] & 7) == 3) {
        spoil(op, size - 1);
      }
    }
  }

  /** Reports the size of a long send modulo a MiB. */
  @Breaks("NET-TEST-08")
  public static final class ReportsLongSendsModuloAMebibyte extends WatchingNet {
    @Override
    void completed(Op op, int @Nullable [] sizes) {
      if (op.sending && sizes != null && op.lengths[0] > MIB) {
        sizes[0] = (int) (op.lengths[0] % MIB);
      }
    }
  }

  /** Reports the size of a long receive modulo 16 MiB, as a field of 24 bits does. */
  @Breaks("NET-RECV-04")
  public static final class ReportsSizesOf24Bits extends WatchingNet {
    @Override
    void completed(Op op, int @Nullable [] sizes) {
      if (!op.sending && sizes != null) {
        for (int i = 0; i < op.pieces; i++) {
          sizes[i] &= 16 * MIB - 1;
        }
      }
    }
  }

  /** Loses the last byte of the first message of a comm after a second without any. */
  @Breaks("NET-SEND-08")
  public static final class LosesAByteAfterAPause extends WrongNet {
    private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

    private final Map<SendComm, long[]> last = new ConcurrentHashMap<>();

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      long now = System.nanoTime();
      long[] before = comm == null ? null : last.get(comm);
      boolean paused = before != null && now - before[0] > PAUSE && length > 0;
      Request request = super.isend(comm, mr, offset, paused ? length - 1 : length, tag);
      if (request != null && before != null) {
        before[0] = now;
      } else if (request != null) {
        last.put(comm, new long[] {now});
      }
      return request;
    }

    @Override
    public void closeSend(SendComm comm) {
      if (comm != null) {
        last.remove(comm);
      }
      super.closeSend(comm);
    }
  }
}
