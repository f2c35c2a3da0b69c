// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Networks that are right until much is in flight or has been, or until a receive has several
 * pieces.
 */
public final class PressureMistakes {
  private PressureMistakes() {}

  /** Lets the last of several pieces have all the memory behind its begin. */
  @Breaks("NET-RECV-06")
  public static final class GivesTheLastPieceAllThereIs extends WatchingNet {
    @Override
    public @Nullable Request irecv(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
      int last = n - 1;
      Memory memory = memoryOfLast(n, mrs, offsets, lengths);
      if (memory != null
          && offsets[last] >= 0
          && lengths[last] >= 0
          && lengths[last] < memory.size() - offsets[last]) {
        long length = lengths[last];
        lengths[last] = memory.size() - offsets[last]; // a copy would be another mistake
        try {
          return super.irecv(comm, n, mrs, offsets, lengths, tags);
        } finally {
          lengths[last] = length;
        }
      }
      return super.irecv(comm, n, mrs, offsets, lengths, tags);
    }
  }

  /** Holds each message against the room of the first piece. */
  @Breaks("NET-RECV-06")
  public static final class KnowsTheFirstRoomOnly extends WrongNet {
    @Override
    public @Nullable Request irecv(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
      if (n < 2 || lengths == null || lengths.length < n || lengths[n - 1] <= lengths[0]) {
        return super.irecv(comm, n, mrs, offsets, lengths, tags);
      }
      long length = lengths[n - 1];
      lengths[n - 1] = lengths[0];
      try {
        return super.irecv(comm, n, mrs, offsets, lengths, tags);
      } finally {
        lengths[n - 1] = length;
      }
    }
  }

  /** Wants as many tags as pieces, and no more. */
  @Breaks("NET-RECV-08")
  public static final class CountsTheTags extends WrongNet {
    @Override
    public @Nullable Request irecv(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
      if (tags != null && tags.length > n) {
        throw new NetException(ResultCode.INVALID_ARGUMENT, tags.length + " tags");
      }
      return super.irecv(comm, n, mrs, offsets, lengths, tags);
    }
  }

  /** Looks at the lengths of a receive behind three others only when it has completed. */
  @Breaks(
      value = "NET-RECV-17",
      also = {"NET-MEM-02", "NET-MEM-03"})
  public static final class ReadsLengthsLateBehindOthers extends WatchingNet {
    private final Map<Op, long[]> asked = new ConcurrentHashMap<>();

    @Override
    public @Nullable Request irecv(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
      boolean behindOthers = inFlightOn(comm) >= 3;
      Request request = super.irecv(comm, n, mrs, offsets, lengths, tags);
      Op op = op(request);
      if (op != null && behindOthers) {
        asked.put(op, lengths);
      }
      return request;
    }

    @Override
    void completed(Op op, int @Nullable [] sizes) {
      long[] lengths = asked.remove(op);
      for (int i = 0; lengths != null && sizes != null && i < lengths.length; i++) {
        sizes[i] = (int) Math.min(sizes[i], lengths[i]);
      }
    }
  }

  /** Sends what it has refused because a hundred sends have not been tested yet. */
  @Breaks(
      value = "NET-SEND-02",
      also = {"NET-RECV-03", "NET-SEND-03"}) // what it has sent twice takes the place of a send
  public static final class SendsWhatItHadNoRequestFor extends WatchingNet {
    private static final int MANY = 100;

    private final Map<Comm, Request> refused = new ConcurrentHashMap<>();

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      Request request = super.isend(comm, mr, offset, length, tag);
      if (request != null
          && inFlightOn(comm) > MANY
          && refused.putIfAbsent(comm, request) == null) {
        return null;
      }
      return request;
    }

    @Override
    public void closeSend(SendComm comm) {
      if (comm != null) {
        refused.remove(comm);
      }
      super.closeSend(comm);
    }
  }

  /** Posts a receive that it has refused as soon as there is room for it. */
  @Breaks(
      value = "NET-RECV-01",
      also = {"NET-RECV-02", "NET-RECV-03", "NET-TEST-05"})
  public static final class PostsWhatItRefused extends WatchingNet {
    private record Refused(MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {}

    private final Map<Comm, Refused> refused = new ConcurrentHashMap<>();

    @Override
    public @Nullable Request irecv(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
      Request request = super.irecv(comm, n, mrs, offsets, lengths, tags);
      if (request == null) {
        refused.putIfAbsent(
            comm,
            new Refused(
                Arrays.copyOf(mrs, n),
                Arrays.copyOf(offsets, n),
                Arrays.copyOf(lengths, n),
                Arrays.copyOf(tags, n)));
      }
      return request;
    }

    @Override
    void completed(Op op, int @Nullable [] sizes) {
      Refused late = op.sending ? null : refused.remove(op.comm);
      if (late != null && op.comm instanceof RecvComm comm) {
        net.irecv(comm, late.mrs().length, late.mrs(), late.offsets(), late.lengths(), late.tags());
      }
    }

    @Override
    public void closeRecv(RecvComm comm) {
      if (comm != null) {
        refused.remove(comm);
      }
      super.closeRecv(comm);
    }
  }

  /** Turns the first byte of a long message round in place until the message is under way. */
  @Breaks("NET-SEND-11")
  public static final class ChangesLongMessagesUntilTheyAreSent extends WatchingNet {
    private static final int LONG = 1 << 16;

    private final Set<Op> changed = ConcurrentHashMap.newKeySet();

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      Request request = super.isend(comm, mr, offset, length, tag);
      Op op = op(request);
      // Its first bytes have gone by now, unless others are in front of it.
      if (op != null && length > LONG && inFlightOn(comm) == 1) {
        turnRound(op);
        changed.add(op);
      }
      return request;
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      Op op = op(request);
      if (op != null && changed.remove(op)) {
        turnRound(op);
      }
      return super.test(request, sizes);
    }

    private static void turnRound(Op op) {
      op.set(0, 0, (byte) ~op.get(0, 0));
    }
  }

  /** Has four buffers for long messages, which all connections share as long as these are sent. */
  @Breaks(value = "NET-CONN-22", also = "NET-MEM-03")
  public static final class SharesItsRoomBetweenConnections extends WatchingNet {
    private static final int BUFFERS = 4;
    private static final int LONG_ENOUGH = 1 << 18;

    private final Set<SendComm> busy = ConcurrentHashMap.newKeySet();

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      busy.removeIf(each -> inFlightOn(each) == 0);
      if (comm != null && length >= LONG_ENOUGH && busy.size() >= BUFFERS && !busy.contains(comm)) {
        return null;
      }
      Request request = super.isend(comm, mr, offset, length, tag);
      if (request != null && length >= LONG_ENOUGH) {
        busy.add(comm);
      }
      return request;
    }

    @Override
    public void closeSend(SendComm comm) {
      if (comm != null) {
        busy.remove(comm);
      }
      super.closeSend(comm);
    }
  }

  /** Each instance counts its attempts from 1, and all instances keep them in one map. */
  @Breaks("NET-INIT-05")
  public static final class NumbersAttemptsAlikeInEachInstance extends WrongNet {
    /** Bytes of a handle that the right network does not use. */
    private static final long NUMBER = HANDLE_MAXSIZE - Long.BYTES;

    /** One map for each thread, since the kit's tests, with an instance each, run beside others. */
    private static final ThreadLocal<Map<Long, Object>> OWNERS =
        ThreadLocal.withInitial(ConcurrentHashMap::new);

    private final AtomicLong last = new AtomicLong();

    @Override
    public @Nullable SendComm connect(int device, MemorySegment handle) {
      if (handle == null || handle.byteSize() < HANDLE_MAXSIZE || handle.isReadOnly()) {
        return super.connect(device, handle);
      }
      long number = handle.get(ValueLayout.JAVA_LONG_UNALIGNED, NUMBER);
      if (number == 0) {
        number = last.incrementAndGet();
        OWNERS.get().put(number, this);
      } else if (OWNERS.get().getOrDefault(number, this) instanceof WrongNet owner
          && !owner.equals(this)) {
        throw new NetException(ResultCode.INVALID_ARGUMENT, "not an attempt of this instance");
      }
      SendComm comm = super.connect(device, handle);
      handle.set(ValueLayout.JAVA_LONG_UNALIGNED, NUMBER, comm == null ? number : 0);
      return comm;
    }
  }
}
