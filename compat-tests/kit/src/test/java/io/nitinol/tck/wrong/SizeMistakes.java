// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Networks that are wrong about how long a message is. */
public final class SizeMistakes {
  private SizeMistakes() {}

  /** Reports the room in a piece as the size of its message. */
  @Breaks(value = "NET-RECV-04", also = "NET-RECV-10")
  public static final class ReportsSizeOfThePiece extends WatchingNet {
    @Override
    void completed(Op op, int @Nullable [] sizes) {
      for (int i = 0; sizes != null && !op.sending && i < op.pieces; i++) {
        sizes[i] = (int) op.lengths[i];
      }
    }
  }

  /** Clears the byte behind a long message that is no multiple of 8 where its piece has room. */
  @Breaks("NET-RECV-05")
  public static final class CompletesTheLastWord extends WatchingNet {
    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      return super.test(request, sizes == null ? new int[8] : sizes);
    }

    @Override
    void completed(Op op, int @Nullable [] sizes) {
      if (sizes != null && !op.sending && op.pieces == 1) {
        int length = sizes[0];
        if (length > 4096 && length % 8 != 0 && length < op.lengths[0]) {
          op.set(0, length, (byte) 0);
        }
      }
    }
  }

  /** Lets a message of one piece go on behind the piece, inside the registration. */
  private abstract static class GivesMoreRoom extends WatchingNet {
    private final long[] room = new long[1];
    private final long spare;

    GivesMoreRoom() {
      this(Long.MAX_VALUE >> 1);
    }

    GivesMoreRoom(long spare) {
      this.spare = spare;
    }

    /** Sees a receive of one piece of {@code length} bytes that was given {@code room}. */
    void posted(Request request, Op op, long length, long room) {}

    @Override
    public @Nullable Request irecv(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
      Memory memory = n == 1 && mrs.length > 0 && mrs[0] != null ? memoryOf(mrs[0]) : null;
      if (memory == null
          || offsets.length < 1
          || lengths.length < 1
          || offsets[0] < 0
          || lengths[0] < 0
          || offsets[0] > memory.size() - lengths[0]) {
        return super.irecv(comm, n, mrs, offsets, lengths, tags);
      }
      synchronized (room) {
        room[0] = Math.min(memory.size() - offsets[0], lengths[0] + spare);
        Request request = super.irecv(comm, n, mrs, offsets, room, tags);
        Op op = op(request);
        if (op != null) {
          posted(request, op, lengths[0], room[0]);
          op.lengths[0] = lengths[0];
        }
        return request;
      }
    }
  }

  /**
   * Checks a message against the registration and not its piece, and reports what was asked for.
   */
  @Breaks("NET-RECV-06")
  public static final class CutsLongMessages extends GivesMoreRoom {
    @Override
    void completed(Op op, int @Nullable [] sizes) {
      if (sizes != null && !op.sending && op.pieces == 1) {
        sizes[0] = (int) Math.min(sizes[0], op.lengths[0]);
      }
    }
  }

  /** Copies the whole of a message that is too long, and writes no size. */
  @Breaks("NET-RECV-06")
  public static final class OverflowsWithoutAWord extends GivesMoreRoom {
    private final int[] size = new int[8];

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      Op op = op(request);
      if (op == null || op.sending || op.pieces != 1 || sizes == null || sizes.length < 1) {
        return super.test(request, sizes);
      }
      synchronized (size) {
        boolean done = super.test(request, size);
        if (done && size[0] <= op.lengths[0]) {
          sizes[0] = size[0];
        }
        return done;
      }
    }
  }

  /** Fails a receive whose message is a little too long, and goes on with the next. */
  @Breaks(
      value = "NET-RECV-07",
      also = {"NET-ERR-05", "NET-TEST-10"})
  public static final class LivesOnAfterALongMessage extends GivesMoreRoom {
    private static final int SPARE = 16 << 10;

    /** What is behind a piece, to be put back. */
    private final Map<Request, byte[]> behind = new ConcurrentHashMap<>();

    private final int[] size = new int[1];

    public LivesOnAfterALongMessage() {
      super(SPARE);
    }

    @Override
    void posted(Request request, Op op, long length, long room) {
      byte[] kept = behind.computeIfAbsent(request, key -> new byte[SPARE]);
      for (int i = 0; i < room - length; i++) {
        kept[i] = op.get(0, length + i);
      }
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      Op op = op(request);
      if (op == null || op.sending || op.pieces != 1 || (sizes != null && sizes.length < 1)) {
        return super.test(request, sizes);
      }
      synchronized (size) {
        boolean done = super.test(request, size);
        byte[] kept = behind.get(request);
        if (done && kept != null && size[0] > op.lengths[0]) {
          for (int i = 0; i < size[0] - op.lengths[0]; i++) {
            op.set(0, op.lengths[0] + i, kept[i]);
          }
          throw new NetException(ResultCode.INVALID_USAGE, "a message of " + size[0] + " bytes");
        }
        if (done && sizes != null) {
          sizes[0] = size[0];
        }
        return done;
      }
    }

    @Override
    public void closeRecv(RecvComm comm) {
      behind.clear();
      super.closeRecv(comm);
    }
  }

  /** Allows the last of several pieces to end a byte behind its registration. */
  @Breaks("NET-RECV-16")
  public static final class AllowsTheLastPieceAByteMore extends WatchingNet {
    @Override
    public @Nullable Request irecv(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
      int last = n - 1;
      Memory memory = memoryOfLast(n, mrs, offsets, lengths);
      if (memory != null
          && offsets[last] >= 0
          && lengths[last] > 0
          && offsets[last] + lengths[last] == memory.size() + 1) {
        long[] shorter = lengths.clone();
        shorter[last]--;
        return super.irecv(comm, n, mrs, offsets, shorter, tags);
      }
      return super.irecv(comm, n, mrs, offsets, lengths, tags);
    }
  }

  /** Posts the pieces of a receive that it finds right and complains about the others. */
  @Breaks(value = "NET-RECV-16", also = "NET-SEND-02")
  public static final class PostsPartOfAReceive extends WrongNet {
    @Override
    public @Nullable Request irecv(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
      try {
        return super.irecv(comm, n, mrs, offsets, lengths, tags);
      } catch (NetException e) {
        if (n > 1
            && n <= 8
            && n <= Math.min(mrs.length, tags.length)
            && n <= Math.min(offsets.length, lengths.length)) {
          super.irecv(comm, 1, mrs, offsets, lengths, tags);
        }
        throw e;
      }
    }
  }

  /** Adds offset and length without a thought of overflow. */
  @Breaks("NET-SEND-05")
  public static final class ForgetsOverflow extends WrongNet {
    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      boolean wraps = offset >= 0 && length >= 0 && offset + length < 0;
      return wraps ? super.isend(comm, mr, 0, 0, tag) : super.isend(comm, mr, offset, length, tag);
    }
  }

  /** Never reports a receive of 0 bytes. */
  @Breaks(value = "NET-SEND-07", also = "NET-TEST-05")
  public static final class EmptyMessagesNeverEnd extends WrongNet {
    private final Set<Request> lost = ConcurrentHashMap.newKeySet();

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      if (request != null && lost.contains(request)) {
        return false;
      }
      int[] own = sizes == null ? new int[8] : sizes;
      int before = own.length == 0 ? 0 : own[0];
      boolean done = super.test(request, own);
      if (done && own[0] == 0 && before != 0) {
        lost.add(request);
        return false;
      }
      return done;
    }
  }

  /** Takes 0 bytes in the last of several pieces for a size that is not known, and fills it in. */
  @Breaks("NET-SEND-07")
  public static final class ReportsTheRoomForAnEmptyMessage extends WatchingNet {
    @Override
    void completed(Op op, int @Nullable [] sizes) {
      int last = op.pieces - 1;
      if (sizes != null && !op.sending && last > 0 && sizes[last] == 0) {
        sizes[last] = (int) op.lengths[last];
      }
    }
  }

  /** Completes a send of 0 bytes and sends nothing. */
  @Breaks(value = "NET-SEND-07", also = "NET-TEST-05")
  public static final class SwallowsEmptyMessages extends WatchingNet {
    private static final class Nothing implements Request {}

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      Memory memory = mr == null || commOf(mr) != comm ? null : memoryOf(mr);
      if (length == 0 && memory != null && offset >= 0 && offset <= memory.size()) {
        return new Nothing();
      }
      return super.isend(comm, mr, offset, length, tag);
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      return request instanceof Nothing || super.test(request, sizes);
    }
  }

  /** Loses a byte where a float cannot tell two lengths apart. */
  @Breaks("NET-SEND-08")
  public static final class CountsBytesInAFloat extends WatchingNet {
    private static final int EXACT = 1 << 24;

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      return super.test(request, sizes == null ? new int[8] : sizes);
    }

    @Override
    void completed(Op op, int @Nullable [] sizes) {
      if (sizes != null && !op.sending && op.pieces == 1 && sizes[0] > EXACT + 1) {
        op.set(0, EXACT + 1, (byte) ~op.get(0, EXACT + 1));
      }
    }
  }

  /** Sends a byte less in the message with which its counter wraps around. */
  @Breaks(value = "NET-SEND-08", also = "NET-THREAD-04")
  public static final class CountsMessagesIn16Bits extends WrongNet {
    private final Map<SendComm, int[]> counts = new ConcurrentHashMap<>();

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      int[] count = comm == null ? null : counts.get(comm);
      if (comm != null && count == null) {
        count = new int[1];
        counts.put(comm, count);
      }
      boolean wraps = count != null && (count[0] & 0xffff) == 0xffff && length > 0;
      Request request = super.isend(comm, mr, offset, wraps ? length - 1 : length, tag);
      if (count != null && request != null) {
        count[0]++;
      }
      return request;
    }

    @Override
    public void closeSend(SendComm comm) {
      super.closeSend(comm);
      if (comm != null) {
        counts.remove(comm);
      }
    }
  }

  /** Sends one byte too few of every message of odd length. */
  @Breaks(
      value = "NET-SEND-08",
      also = {"NET-RECV-04", "NET-SEND-05", "NET-TEST-08", "NET-THREAD-02", "NET-RECV-06"})
  public static final class LosesLastOddByte extends WrongNet {

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      return net.isend(comm, mr, offset, length % 2 == 1 ? length - 1 : length, tag);
    }
  }

  /** Keeps the low bits of a length that is too long. */
  @Breaks(value = "NET-SEND-12", also = "NET-SEND-05")
  public static final class CutsWideLengths extends WrongNewestNet {
    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag, long profilerHandle) {
      long kept = length > 1L << 30 ? length & ((1L << 30) - 1) : length;
      return super.isend(comm, mr, offset, kept, tag, profilerHandle);
    }
  }

  /** A test with too short an array is refused and ends the request. */
  @Breaks("NET-TEST-07")
  public static final class ForgetsARequestOverAShortArray extends WrongNet {
    private final Set<Request> forgotten = ConcurrentHashMap.newKeySet();

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      return made(super.isend(comm, mr, offset, length, tag));
    }

    @Override
    public @Nullable Request irecv(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
      return made(super.irecv(comm, n, mrs, offsets, lengths, tags));
    }

    private @Nullable Request made(@Nullable Request request) {
      if (request != null) {
        forgotten.remove(request);
      }
      return request;
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      if (request != null && forgotten.contains(request)) {
        throw new NetException(ResultCode.INVALID_ARGUMENT, "no request in flight");
      }
      try {
        return super.test(request, sizes);
      } catch (NetException e) {
        if (request != null
            && e.result() == ResultCode.INVALID_ARGUMENT
            && sizes != null
            && sizes.length < 8) {
          forgotten.add(request);
        }
        throw e;
      }
    }
  }

  /** Takes it that every array for sizes is long enough. */
  @Breaks("NET-TEST-07")
  public static final class NeedsSizes extends WatchingNet {
    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      Op op = op(request);
      if (op != null && op.live && sizes != null && sizes.length < op.pieces) {
        throw new ArrayIndexOutOfBoundsException(sizes.length);
      }
      return super.test(request, sizes);
    }
  }

  /** Sums up the sizes of several pieces, and does not expect that nobody wants them. */
  @Breaks("NET-TEST-07")
  public static final class NeedsSizesOfSeveralPieces extends WatchingNet {
    @Override
    void completed(Op op, int @Nullable [] sizes) {
      if (sizes == null && op.pieces > 1) {
        throw new NullPointerException("sizes");
      }
    }
  }

  /** Writes sizes whatever the answer is. */
  @Breaks("NET-TEST-08")
  public static final class WritesSizesTooEarly extends WrongNet {
    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      boolean done = super.test(request, sizes);
      if (!done && sizes != null && sizes.length > 0) {
        sizes[0] = 0;
      }
      return done;
    }
  }
}
