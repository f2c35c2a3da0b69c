// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.call;

import io.nitinol.core.CommException;
import io.nitinol.core.call.TransferBatch.Piece;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks the arguments of the calls in which each rank has its own number of elements, MPI's {@code
 * v} forms; all are made of sends and receives. Each method submits the call, or leaves it to
 * {@code group}, and returns what {@link Calls} returns.
 */
@AnyThread
public final class UnevenCalls {
  private final Calls calls;
  private final int rank;
  private final int size;

  /** Creates the calls of one communicator. */
  public UnevenCalls(Calls calls) {
    this.calls = calls;
    this.rank = calls.rank();
    this.size = calls.size();
  }

  /** Mirrors {@code MPI_Alltoallv}. */
  public long allToAllV(
      @Nullable GroupCalls group,
      MemorySegment send,
      long[] sendCounts,
      long[] sendOffsets,
      MemorySegment recv,
      long[] recvCounts,
      long[] recvOffsets,
      DataType type) {
    String call = "alltoallv";
    try {
      calls.checkOpen(call);
      MemorySegment[] out = blocks(call, "send", send, sendCounts, sendOffsets, false, type);
      MemorySegment[] in = blocks(call, "recv", recv, recvCounts, recvOffsets, true, type);
      for (MemorySegment from : out) {
        for (MemorySegment to : in) {
          apart(call, from, to, BufferCheck.NOT_IN_PLACE);
        }
      }
      List<Piece> pieces = new ArrayList<>(2 * size);
      for (int i = 0; i < size; i++) {
        int to = (rank + i) % size; // each rank begins with another one
        int from = (rank - i + size) % size;
        pieces.add(new Piece(true, to, out[to], type));
        pieces.add(new Piece(false, from, in[from], type));
      }
      return calls.transfers(group, call, Collective.ALL_TO_ALL, sum(sendCounts), type, 0, pieces);
    } catch (CommException e) {
      return calls.mistake(group, call, e);
    }
  }

  /** Mirrors {@code MPI_Allgatherv}. */
  public long allGatherV(
      @Nullable GroupCalls group,
      MemorySegment send,
      long sendCount,
      MemorySegment recv,
      long[] recvCounts,
      long[] recvOffsets,
      DataType type) {
    String call = "all_gather_v";
    try {
      calls.checkOpen(call);
      MemorySegment own = one(call, "send", send, sendCount, false, type);
      MemorySegment[] in = blocks(call, "recv", recv, recvCounts, recvOffsets, true, type);
      checkOwn(call, "recvCounts", recvCounts, sendCount);
      for (int i = 0; i < size; i++) {
        apart(call, own, in[i], i == rank ? 0 : BufferCheck.NOT_IN_PLACE);
      }
      List<Piece> pieces = new ArrayList<>(2 * size);
      for (int i = 0; i < size; i++) {
        int from = (rank - i + size) % size;
        pieces.add(new Piece(true, (rank + i) % size, own, type));
        pieces.add(new Piece(false, from, in[from], type));
      }
      return calls.transfers(group, call, Collective.ALL_GATHER, sendCount, type, 0, pieces);
    } catch (CommException e) {
      return calls.mistake(group, call, e);
    }
  }

  /** Mirrors {@code MPI_Gatherv}. */
  public long gatherV(
      @Nullable GroupCalls group,
      MemorySegment send,
      long sendCount,
      @Nullable MemorySegment recv,
      long @Nullable [] recvCounts,
      long @Nullable [] recvOffsets,
      DataType type,
      int root) {
    String call = "gather_v";
    try {
      calls.checkOpen(call);
      BufferCheck.rank(call, "root", root, size);
      MemorySegment own = one(call, "send", send, sendCount, false, type);
      List<Piece> pieces = new ArrayList<>();
      pieces.add(new Piece(true, root, own, type));
      if (rank == root) {
        MemorySegment[] in = blocks(call, "recv", recv, recvCounts, recvOffsets, true, type);
        checkOwn(call, "recvCounts", Objects.requireNonNull(recvCounts), sendCount);
        for (int from = 0; from < size; from++) {
          apart(call, own, in[from], from == rank ? 0 : BufferCheck.NOT_IN_PLACE);
          pieces.add(new Piece(false, from, in[from], type));
        }
      }
      return calls.transfers(group, call, Collective.GATHER, sendCount, type, root, pieces);
    } catch (CommException e) {
      return calls.mistake(group, call, e);
    }
  }

  /** Mirrors {@code MPI_Scatterv}. */
  public long scatterV(
      @Nullable GroupCalls group,
      @Nullable MemorySegment send,
      long @Nullable [] sendCounts,
      long @Nullable [] sendOffsets,
      MemorySegment recv,
      long recvCount,
      DataType type,
      int root) {
    String call = "scatter_v";
    try {
      calls.checkOpen(call);
      BufferCheck.rank(call, "root", root, size);
      MemorySegment own = one(call, "recv", recv, recvCount, true, type);
      List<Piece> pieces = new ArrayList<>();
      if (rank == root) {
        MemorySegment[] out = blocks(call, "send", send, sendCounts, sendOffsets, false, type);
        checkOwn(call, "sendCounts", Objects.requireNonNull(sendCounts), recvCount);
        for (int to = 0; to < size; to++) {
          apart(call, out[to], own, to == rank ? 0 : BufferCheck.NOT_IN_PLACE);
          pieces.add(new Piece(true, to, out[to], type));
        }
      }
      pieces.add(new Piece(false, root, own, type));
      return calls.transfers(group, call, Collective.SCATTER, recvCount, type, root, pieces);
    } catch (CommException e) {
      return calls.mistake(group, call, e);
    }
  }

  private static long sum(long[] counts) {
    return Arrays.stream(counts).sum();
  }

  private static void apart(String call, MemorySegment from, MemorySegment to, long inPlace) {
    BufferCheck.apart(call, from, from.byteSize(), to, to.byteSize(), inPlace);
  }

  private void checkOwn(String call, String name, long[] counts, long own) {
    if (counts[rank] != own) {
      throw BufferCheck.invalid(
          call,
          name + "[" + rank + "]",
          Long.toString(counts[rank]),
          ErrorText.of("%d, what this rank itself has", own));
    }
  }

  private MemorySegment one(
      String call, String name, MemorySegment buffer, long count, boolean written, DataType type) {
    long bytes = BufferCheck.bytes(call, count, type);
    check(call, name, buffer, bytes, written);
    return buffer.asSlice(0, bytes);
  }

  private void check(
      String call, String name, @Nullable MemorySegment buffer, long bytes, boolean written) {
    if (written) {
      BufferCheck.writable(call, name, buffer, bytes, calls.user());
    } else {
      BufferCheck.readable(call, name, buffer, bytes, calls.user());
    }
  }

  private MemorySegment[] blocks(
      String call,
      String name,
      @Nullable MemorySegment buffer,
      long @Nullable [] givenCounts,
      long @Nullable [] givenOffsets,
      boolean written,
      DataType type) {
    long[] counts = each(call, name + "Counts", givenCounts);
    long[] offsets = each(call, name + "Offsets", givenOffsets);
    long end = 0;
    for (int i = 0; i < size; i++) {
      long count = BufferCheck.bytes(call, counts[i], type);
      if (offsets[i] < 0 || offsets[i] > (Long.MAX_VALUE - count) / type.size()) {
        throw BufferCheck.invalid(
            call,
            name + "Offsets[" + i + "]",
            Long.toString(offsets[i]),
            "a number of elements within the buffer");
      }
      end = count == 0 ? end : Math.max(end, offsets[i] * type.size() + count);
    }
    check(call, name, buffer, end, written);
    MemorySegment all = Objects.requireNonNull(buffer);
    MemorySegment[] blocks = new MemorySegment[size];
    for (int i = 0; i < size; i++) {
      long bytes = counts[i] * type.size();
      blocks[i] = bytes == 0 ? all.asSlice(0, 0) : all.asSlice(offsets[i] * type.size(), bytes);
    }
    return blocks;
  }

  private long[] each(String call, String name, long @Nullable [] array) {
    if (array == null) {
      throw BufferCheck.invalid(
          call, name, "null", ErrorText.of("one entry for each of %d ranks", size));
    }
    if (array.length != size) {
      throw BufferCheck.invalid(
          call,
          name,
          "an array of " + array.length,
          ErrorText.of("one entry for each of %d ranks", size));
    }
    return array;
  }
}
