// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Networks that match or fill receives wrongly. */
public final class ReceivingMistakes {
  private ReceivingMistakes() {}

  /** Has room for eight receives only. */
  @Breaks("NET-RECV-02")
  public static final class HoldsEightReceives extends WatchingNet {
    @Override
    public @Nullable Request irecv(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
      return inFlightOn(comm) >= 8 ? null : super.irecv(comm, n, mrs, offsets, lengths, tags);
    }
  }

  /**
   * Lets the seventh message of a burst of small ones overtake the sixth. Where it is the longer
   * one, the receive that it comes to fails.
   */
  @Breaks(
      value = "NET-RECV-03",
      also = {"NET-RECV-09", "NET-RECV-11", "NET-TEST-02", "NET-SEND-02"})
  public static final class SwapsTwoMessages extends WrongNet {
    private record Held(SendComm comm, MemoryHandle mr, long offset, long length, int tag)
        implements Request {}

    private @Nullable SendComm bursting;
    private int burst;
    private @Nullable Held held;
    private @Nullable Request released;

    @Override
    public synchronized @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      if (comm != bursting) {
        bursting = comm;
        burst = 0;
      }
      if (burst == 5 && length < 4096 && held == null) {
        held = new Held(comm, mr, offset, length, tag);
        return held;
      }
      Request request = super.isend(comm, mr, offset, length, tag);
      if (request == null) {
        burst = 0;
      } else {
        burst++;
        release(comm);
      }
      return request;
    }

    private void release(SendComm comm) {
      Held late = held;
      if (late != null && released == null && late.comm() == comm) {
        released = super.isend(comm, late.mr(), late.offset(), late.length(), late.tag());
      }
    }

    @Override
    public synchronized boolean test(Request request, int @Nullable [] sizes) {
      burst = 0;
      Held late = held;
      if (late != null) {
        release(late.comm());
      }
      if (!(request instanceof Held)) {
        return super.test(request, sizes);
      }
      Request inner = released;
      boolean done = inner != null && super.test(inner, sizes);
      if (done) {
        held = null;
        released = null;
      }
      return done;
    }

    @Override
    public synchronized void closeSend(SendComm comm) {
      if (held != null && held.comm() == comm) {
        held = null;
        released = null;
      }
      super.closeSend(comm);
    }
  }

  /** Clears the bytes of a piece that a short message leaves. */
  @Breaks("NET-RECV-05")
  public static final class ClearsTheRest extends WatchingNet {
    private final int[] own = new int[8];

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      Op op = op(request);
      if (op == null || op.sending) {
        return super.test(request, sizes);
      }
      synchronized (own) {
        boolean done = super.test(request, sizes == null ? own : sizes);
        int[] came = sizes == null ? own : sizes;
        for (int i = 0; done && i < op.pieces; i++) {
          if (came[i] > 0 && came[i] < op.lengths[i]) {
            op.set(i, came[i], (byte) 0);
          }
        }
        return done;
      }
    }
  }

  /** Accepts receives of more pieces than it has said. */
  @Breaks("NET-RECV-08")
  public static final class TakesTooManyPieces extends WrongNet {
    private static final class Endless implements Request {}

    @Override
    public @Nullable Request irecv(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
      return n > 8 ? new Endless() : super.irecv(comm, n, mrs, offsets, lengths, tags);
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      return !(request instanceof Endless) && super.test(request, sizes);
    }
  }

  /** Fills the pieces of a receive in the order in which messages come. */
  @Breaks("NET-RECV-09")
  public static final class IgnoresTags extends WrongNet {
    private static final int[] ONE_TAG = new int[8];

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      return super.isend(comm, mr, offset, length, 0);
    }

    @Override
    public @Nullable Request irecv(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
      return super.irecv(
          comm, n, mrs, offsets, lengths, tags != null && tags.length >= n ? ONE_TAG : tags);
    }
  }

  /** Reports the sizes of a receive in an order of its own. */
  @Breaks(value = "NET-RECV-10", also = "NET-RECV-04")
  public static final class LargestSizeFirst extends WatchingNet {
    @Override
    void completed(Op op, int @Nullable [] sizes) {
      if (sizes != null && !op.sending && op.pieces > 1) {
        Arrays.sort(sizes, 0, op.pieces);
        for (int i = 0; i < op.pieces / 2; i++) {
          int small = sizes[i];
          sizes[i] = sizes[op.pieces - 1 - i];
          sizes[op.pieces - 1 - i] = small;
        }
      }
    }
  }

  /** Keeps the lower half of a tag. */
  @Breaks("NET-RECV-14")
  public static final class CutsTags extends WrongNet {
    private final ThreadLocal<int[]> halves = ThreadLocal.withInitial(() -> new int[8]);

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      return super.isend(comm, mr, offset, length, tag & 0xFFFF);
    }

    @Override
    public @Nullable Request irecv(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
      if (tags == null || tags.length < n || n < 0 || n > 8) {
        return super.irecv(comm, n, mrs, offsets, lengths, tags);
      }
      int[] cut = halves.get();
      for (int i = 0; i < n; i++) {
        cut[i] = tags[i] & 0xFFFF;
      }
      return super.irecv(comm, n, mrs, offsets, lengths, cut);
    }
  }

  /** Looks at the array of lengths when the receive has completed. */
  @Breaks(
      value = "NET-RECV-17",
      also = {"NET-MEM-02", "NET-MEM-03"})
  public static final class ReadsLengthsLate extends WrongNet {
    private final Map<Request, long[]> asked = new ConcurrentHashMap<>();

    @Override
    public @Nullable Request irecv(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
      Request request = super.irecv(comm, n, mrs, offsets, lengths, tags);
      if (request != null) {
        asked.put(request, lengths);
      }
      return request;
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      boolean done = super.test(request, sizes);
      long[] lengths = done ? asked.remove(request) : null;
      for (int i = 0; lengths != null && sizes != null && i < lengths.length; i++) {
        sizes[i] = (int) Math.min(sizes[i], lengths[i]);
      }
      return done;
    }

    @Override
    public void closeRecv(RecvComm comm) {
      asked.clear();
      super.closeRecv(comm);
    }
  }

  /** Takes a receive whose completion is optional for one that need not be. */
  @Breaks("NET-RECV-18")
  public static final class ForgetsOptionalReceives extends WrongNewestNet {
    private enum Nothing implements Request {
      TO_DO
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
      return hints != 0
          ? Nothing.TO_DO
          : super.irecv(comm, n, mrs, offsets, lengths, tags, profilerHandles, hints);
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      return request == Nothing.TO_DO || super.test(request, sizes);
    }
  }
}
