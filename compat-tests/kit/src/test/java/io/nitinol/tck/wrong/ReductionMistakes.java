// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DataType;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.Request;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Collective networks that reduce, gather or scatter wrongly, or promise what they do not do. */
public final class ReductionMistakes {
  private ReductionMistakes() {}

  /** Supports halves every other time that it is asked. */
  @Breaks(value = "COLL-07", also = "COLL-16")
  public static final class ChangesItsMind extends WrongCollNet {
    private final AtomicInteger asked = new AtomicInteger();

    @Override
    public boolean reduceSupport(DataType dataType, ReductionOp op) {
      return (dataType != DataType.FLOAT16 || asked.getAndIncrement() % 2 == 0)
          && super.reduceSupport(dataType, op);
    }
  }

  /** Says that it averages. */
  @Breaks("COLL-09")
  public static final class PromisesAverages extends WrongCollNet {
    @Override
    public boolean reduceSupport(DataType dataType, ReductionOp op) {
      return op == ReductionOp.AVG || super.reduceSupport(dataType, op);
    }
  }

  /** Takes sixteen operations at a time. It allocates for that. */
  @Breaks(value = "COLL-11", also = "NET-MEM-03")
  public static final class KeepsFewInFlight extends WrongCollNet {
    private final Map<CollComm, AtomicInteger> flying = new ConcurrentHashMap<>();
    private final Map<Request, CollComm> owners = new ConcurrentHashMap<>();

    @Override
    public @Nullable Request iallreduce(
        CollComm comm,
        MemoryHandle sendMr,
        long sendOffset,
        MemoryHandle recvMr,
        long recvOffset,
        long count,
        DataType dataType,
        ReductionOp op) {
      if (comm == null) {
        return collNet.iallreduce(
            comm, sendMr, sendOffset, recvMr, recvOffset, count, dataType, op);
      }
      AtomicInteger own = flying.computeIfAbsent(comm, absent -> new AtomicInteger());
      Request request =
          own.get() >= 16
              ? null
              : collNet.iallreduce(
                  comm, sendMr, sendOffset, recvMr, recvOffset, count, dataType, op);
      if (request != null) {
        owners.put(request, comm);
        own.incrementAndGet();
      }
      return request;
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      boolean done = super.test(request, sizes);
      CollComm comm = done ? owners.remove(request) : null;
      if (comm != null) {
        flying.get(comm).decrementAndGet();
      }
      return done;
    }
  }

  /** Each member adds floats in an order that begins with its own contribution. */
  @Breaks(value = "COLL-12", also = "NET-MEM-03")
  public static final class AddsInItsOwnOrder extends MeddlingCollNet {
    private static final Map<String, List<float[]>> CONTRIBUTIONS = new ConcurrentHashMap<>();

    private record Place(
        String group, int rank, int members, AtomicInteger started, AtomicInteger ended) {}

    private final Map<CollComm, Place> places = new ConcurrentHashMap<>();

    @Override
    public CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm) {
      CollComm comm = super.connect(handles, nranks, rank, listenComm);
      String group = HexFormat.of().formatHex(handles[0].toArray(ValueLayout.JAVA_BYTE));
      places.put(comm, new Place(group, rank, nranks, new AtomicInteger(), new AtomicInteger()));
      return comm;
    }

    private static boolean isMine(Result result) {
      return result.type() == DataType.FLOAT32
          && result.op() == ReductionOp.SUM
          && result.from().byteSize() == 4 * 4 * 264
          && result.from().address() != result.to().address();
    }

    private static List<float[]> of(Place place, int number) {
      return CONTRIBUTIONS.computeIfAbsent(
          place.group() + number,
          absent -> new ArrayList<>(java.util.Collections.nCopies(place.members(), new float[0])));
    }

    @Override
    void starting(Result result) {
      Place place = places.get(result.comm());
      if (place != null && isMine(result)) {
        of(place, place.started().getAndIncrement())
            .set(place.rank(), result.from().toArray(ValueLayout.JAVA_FLOAT));
      }
    }

    @Override
    void completed(Result result) {
      Place place = places.get(result.comm());
      if (place == null || !isMine(result)) {
        return;
      }
      List<float[]> all = of(place, place.ended().getAndIncrement());
      float[] sum = all.get(place.rank()).clone();
      for (int i = 1; i < place.members(); i++) {
        float[] next = all.get((place.rank() + i) % place.members());
        for (int k = 0; k < sum.length; k++) {
          sum[k] += next[k];
        }
      }
      result.to().copyFrom(MemorySegment.ofArray(sum));
    }
  }

  /** Says that it has all types, and refuses the smallest floats. */
  @Breaks("COLL-13")
  public static final class PromisesWhatItCannotReduce extends WrongCollNet {
    @Override
    public @Nullable Request iallreduce(
        CollComm comm,
        MemoryHandle sendMr,
        long sendOffset,
        MemoryHandle recvMr,
        long recvOffset,
        long count,
        DataType dataType,
        ReductionOp op) {
      if (dataType == DataType.FLOAT8E5M2) {
        throw new NetException(ResultCode.INVALID_ARGUMENT, "no such type");
      }
      return collNet.iallreduce(comm, sendMr, sendOffset, recvMr, recvOffset, count, dataType, op);
    }
  }

  /** The last element of every long result is wrong, and the same on all members. */
  @Breaks(value = "COLL-13", also = "NET-MEM-03")
  public static final class WrongInTheLastElement extends MeddlingCollNet {
    @Override
    void completed(Result result) {
      long last = result.to().byteSize() - 1;
      if (last >= 4096) {
        result.to().set(ValueLayout.JAVA_BYTE, last, (byte) 0x55);
      }
    }
  }

  /** Clears where the result goes before it has read the contribution, which may be the same. */
  @Breaks(value = "COLL-14", also = "NET-MEM-03")
  public static final class ClearsTheResultFirst extends MeddlingCollNet {
    @Override
    void starting(Result result) {
      if (result.from().address() == result.to().address() && !result.from().isReadOnly()) {
        result.to().fill((byte) 0);
      }
    }

    @Override
    void completed(Result result) {}
  }

  /** Says that it has no eight-bit integers, and reduces them when asked to. */
  @Breaks("COLL-16")
  public static final class DeniesWhatItReduces extends WrongCollNet {
    @Override
    public boolean reduceSupport(DataType dataType, ReductionOp op) {
      return dataType != DataType.INT8 && super.reduceSupport(dataType, op);
    }
  }

  /** Reports the number of elements, not of bytes. It allocates for that. */
  @Breaks(value = "COLL-17", also = "NET-MEM-03")
  public static final class ReportsElements extends MeddlingCollNet {
    @Override
    void completed(Result result) {}

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      boolean done = super.test(request, sizes);
      if (done && sizes != null && sizes[0] % 4 == 0) {
        sizes[0] /= 4;
      }
      return done;
    }
  }

  /** Writes one byte behind the result, where the registration has room. It allocates for that. */
  @Breaks(value = "COLL-22", also = "NET-MEM-03")
  public static final class WritesPastTheCount extends MeddlingCollNet {
    @Override
    void completed(Result result) {
      long end = result.to().byteSize();
      if (result.room().byteSize() > end) {
        result.room().set(ValueLayout.JAVA_BYTE, end, (byte) 0);
      }
    }
  }

  /** Fills the last piece of a window first. */
  @Breaks("COLL-23")
  public static final class FillsPiecesBackwards extends WrongNewestCollNet {
    @Override
    public @Nullable Request iallgather(
        CollComm comm,
        MemoryHandle sendMr,
        long sendOffset,
        int n,
        MemoryHandle[] recvMrs,
        long[] recvOffsets,
        long[] recvLengths,
        long bytesPerRank,
        long windowOffset,
        long windowBytes) {
      long[] offsets = recvOffsets.clone();
      if (n > 1 && recvLengths.length > 1 && recvLengths[0] == recvLengths[1]) {
        offsets[0] = recvOffsets[1];
        offsets[1] = recvOffsets[0];
      }
      return super.iallgather(
          comm,
          sendMr,
          sendOffset,
          n,
          recvMrs,
          offsets,
          recvLengths,
          bytesPerRank,
          windowOffset,
          windowBytes);
    }
  }

  /** Takes every window for one that begins at the start. */
  @Breaks(
      value = "COLL-24",
      also = {"COLL-18", "COLL-25"})
  public static final class ScattersFromTheStart extends WrongNewestCollNet {
    @Override
    public @Nullable Request ireducescatter(
        CollComm comm,
        int n,
        MemoryHandle[] sendMrs,
        long[] sendOffsets,
        long[] sendLengths,
        MemoryHandle recvMr,
        long recvOffset,
        long bytesPerRank,
        long windowOffset,
        long windowBytes,
        DataType dataType,
        ReductionOp op) {
      return super.ireducescatter(
          comm,
          n,
          sendMrs,
          sendOffsets,
          sendLengths,
          recvMr,
          recvOffset,
          bytesPerRank,
          0,
          windowBytes,
          dataType,
          op);
    }
  }

  /** Believes the pieces where the window has another length. */
  @Breaks("COLL-25")
  public static final class GathersWhatThePiecesHold extends WrongNewestCollNet {
    @Override
    public @Nullable Request iallgather(
        CollComm comm,
        MemoryHandle sendMr,
        long sendOffset,
        int n,
        MemoryHandle[] recvMrs,
        long[] recvOffsets,
        long[] recvLengths,
        long bytesPerRank,
        long windowOffset,
        long windowBytes) {
      long sum = 0;
      for (int i = 0; i < n && i < recvLengths.length; i++) {
        sum += recvLengths[i];
      }
      return super.iallgather(
          comm,
          sendMr,
          sendOffset,
          n,
          recvMrs,
          recvOffsets,
          recvLengths,
          bytesPerRank,
          windowOffset,
          sum);
    }
  }

  /** Gathers and says that it cannot. */
  @Breaks("COLL-26")
  public static final class GathersInSecret extends WrongNewestCollNet {
    @Override
    public boolean supports(OptionalOperation operation) {
      return operation != OptionalOperation.ALL_GATHER && super.supports(operation);
    }
  }

  /** Moves an operation on only when it is the oldest of its comm, as NCCL's Socket does. */
  @Breaks(value = "NET-TEST-03", also = "NET-MEM-03")
  public static final class ReducesTheOldestOnly extends WrongCollNet {
    private final Map<CollComm, Deque<Request>> flying = new ConcurrentHashMap<>();

    @Override
    public @Nullable Request iallreduce(
        CollComm comm,
        MemoryHandle sendMr,
        long sendOffset,
        MemoryHandle recvMr,
        long recvOffset,
        long count,
        DataType dataType,
        ReductionOp op) {
      Request request =
          collNet.iallreduce(comm, sendMr, sendOffset, recvMr, recvOffset, count, dataType, op);
      if (request != null) {
        flying.computeIfAbsent(comm, absent -> new ConcurrentLinkedDeque<>()).add(request);
      }
      return request;
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      if (request == null || (sizes != null && sizes.length == 0)) {
        return super.test(request, sizes);
      }
      for (Deque<Request> requests : flying.values()) {
        if (requests.contains(request) && !request.equals(requests.peek())) {
          return false;
        }
      }
      boolean done;
      try {
        done = super.test(request, sizes);
      } catch (NetException e) {
        flying.values().forEach(requests -> requests.remove(request));
        throw e;
      }
      if (done) {
        flying.values().forEach(requests -> requests.remove(request));
      }
      return done;
    }

    @Override
    public void closeColl(CollComm comm) {
      super.closeColl(comm);
      flying.remove(comm);
    }
  }
}
