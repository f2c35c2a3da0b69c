// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.call;

import io.nitinol.core.CommException;
import io.nitinol.core.call.TransferBatch.Piece;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks the arguments of a communicator's calls that are made of sends and receives. Each method
 * submits the call, or leaves it to {@code group}, and returns what {@link Calls} returns.
 */
@AnyThread
public final class TransferCalls {
  private final Calls calls;
  private final int rank;
  private final int size;

  /** Creates the transfers of one communicator. */
  public TransferCalls(Calls calls) {
    this.calls = calls;
    this.rank = calls.rank();
    this.size = calls.size();
  }

  /** Mirrors {@code ncclSend}. */
  public long send(
      @Nullable GroupCalls group, MemorySegment buffer, long count, DataType type, int peer) {
    return message(group, "send", true, buffer, count, type, peer);
  }

  /** Mirrors {@code ncclRecv}. */
  public long recv(
      @Nullable GroupCalls group, MemorySegment buffer, long count, DataType type, int peer) {
    return message(group, "recv", false, buffer, count, type, peer);
  }

  private long message(
      @Nullable GroupCalls group,
      String call,
      boolean sends,
      MemorySegment buffer,
      long count,
      DataType type,
      int peer) {
    try {
      calls.checkOpen(call);
      BufferCheck.rank(call, "peer", peer, size);
      long bytes = BufferCheck.bytes(call, count, type);
      if (sends) {
        BufferCheck.readable(call, "buffer", buffer, bytes, calls.user());
      } else {
        BufferCheck.writable(call, "buffer", buffer, bytes, calls.user());
      }
      return calls.transfers(
          group,
          call,
          sends ? Collective.SEND : Collective.RECV,
          count,
          type,
          0,
          List.of(new Piece(sends, peer, buffer.asSlice(0, bytes), type)));
    } catch (CommException e) {
      return calls.mistake(group, call, e);
    }
  }

  /** Mirrors {@code ncclAlltoAll}. */
  public long allToAll(
      @Nullable GroupCalls group,
      MemorySegment send,
      MemorySegment recv,
      long count,
      DataType type) {
    try {
      calls.checkOpen("alltoall");
      long all = BufferCheck.bytes("alltoall", count, type, size);
      long each = all / size;
      BufferCheck.readable("alltoall", "send", send, all, calls.user());
      BufferCheck.writable("alltoall", "recv", recv, all, calls.user());
      BufferCheck.apart("alltoall", send, all, recv, all, BufferCheck.NOT_IN_PLACE);
      List<Piece> pieces = new ArrayList<>(2 * size);
      for (int i = 0; i < size; i++) {
        int to = (rank + i) % size; // each rank begins with another one
        int from = (rank - i + size) % size;
        pieces.add(new Piece(true, to, send.asSlice(to * each, each), type));
        pieces.add(new Piece(false, from, recv.asSlice(from * each, each), type));
      }
      return calls.transfers(group, "alltoall", Collective.ALL_TO_ALL, count, type, 0, pieces);
    } catch (CommException e) {
      return calls.mistake(group, "alltoall", e);
    }
  }

  /** Mirrors {@code ncclGather}. */
  public long gather(
      @Nullable GroupCalls group,
      MemorySegment send,
      @Nullable MemorySegment recv,
      long count,
      DataType type,
      int root) {
    try {
      calls.checkOpen("gather");
      BufferCheck.rank("gather", "root", root, size);
      long all = BufferCheck.bytes("gather", count, type, size);
      long each = all / size;
      BufferCheck.readable("gather", "send", send, each, calls.user());
      List<Piece> pieces = new ArrayList<>();
      pieces.add(new Piece(true, root, send.asSlice(0, each), type));
      if (rank == root) {
        MemorySegment result = BufferCheck.writable("gather", "recv", recv, all, calls.user());
        BufferCheck.apart("gather", send, each, result, all, rank * each);
        for (int from = 0; from < size; from++) {
          pieces.add(new Piece(false, from, result.asSlice(from * each, each), type));
        }
      }
      return calls.transfers(group, "gather", Collective.GATHER, count, type, root, pieces);
    } catch (CommException e) {
      return calls.mistake(group, "gather", e);
    }
  }

  /** Mirrors {@code ncclScatter}. */
  public long scatter(
      @Nullable GroupCalls group,
      @Nullable MemorySegment send,
      MemorySegment recv,
      long count,
      DataType type,
      int root) {
    try {
      calls.checkOpen("scatter");
      BufferCheck.rank("scatter", "root", root, size);
      long all = BufferCheck.bytes("scatter", count, type, size);
      long each = all / size;
      BufferCheck.writable("scatter", "recv", recv, each, calls.user());
      List<Piece> pieces = new ArrayList<>();
      if (rank == root) {
        MemorySegment source = BufferCheck.readable("scatter", "send", send, all, calls.user());
        BufferCheck.apart("scatter", source, all, recv, each, -rank * each);
        for (int to = 0; to < size; to++) {
          pieces.add(new Piece(true, to, source.asSlice(to * each, each), type));
        }
      }
      pieces.add(new Piece(false, root, recv.asSlice(0, each), type));
      return calls.transfers(group, "scatter", Collective.SCATTER, count, type, root, pieces);
    } catch (CommException e) {
      return calls.mistake(group, "scatter", e);
    }
  }
}
