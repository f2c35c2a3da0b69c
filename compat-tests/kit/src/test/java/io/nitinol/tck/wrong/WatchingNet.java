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
import io.nitinol.spi.net.v6.Net;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A network that knows what is in flight, for mistakes that need to. It allocates nothing in the
 * steady state and forgets a comm with its close, so that it breaks no rule by itself.
 */
abstract class WatchingNet extends WrongNet {
  private static final int MOST_PIECES = 8;

  /** An operation, kept as long as its request's object. */
  static final class Op {
    final Comm comm;
    final @Nullable MemorySegment[] memory = new MemorySegment[MOST_PIECES];
    final long[] offsets = new long[MOST_PIECES];
    final long[] lengths = new long[MOST_PIECES];
    boolean sending;
    boolean live;
    int pieces;
    int tests;

    Op(Comm comm) {
      this.comm = comm;
    }

    /** Returns a byte of a piece, counted from the piece's first. */
    byte get(int piece, long index) {
      MemorySegment segment = memory[piece];
      return segment == null ? 0 : segment.get(ValueLayout.JAVA_BYTE, offsets[piece] + index);
    }

    void set(int piece, long index, byte value) {
      MemorySegment segment = memory[piece];
      if (segment != null && !segment.isReadOnly()) {
        segment.set(ValueLayout.JAVA_BYTE, offsets[piece] + index, value);
      }
    }
  }

  private record Registered(Comm comm, Memory memory) {}

  private final Map<Request, Op> ops = new ConcurrentHashMap<>();
  private final Map<Comm, int[]> inFlight = new ConcurrentHashMap<>();
  private final Map<MemoryHandle, Registered> registered = new ConcurrentHashMap<>();

  WatchingNet() {}

  WatchingNet(Net right) {
    super(right);
  }

  /** Called when an operation has completed, before its caller hears of it. */
  void completed(Op op, int @Nullable [] sizes) {}

  /** Returns how many operations on the comm have not completed. */
  final int inFlightOn(Comm comm) {
    int[] count = comm == null ? null : inFlight.get(comm);
    return count == null ? 0 : count[0];
  }

  /** Returns whether an operation on the comm uses memory that is registered under the handle. */
  final boolean isInFlight(MemoryHandle handle) {
    Registered found = registered.get(handle);
    return found != null
        && ops.values().stream()
            .filter(op -> op.live && op.comm == found.comm())
            .anyMatch(op -> found.memory().segment().equals(op.memory[0]));
  }

  final @Nullable Op op(@Nullable Request request) {
    return request == null ? null : ops.get(request);
  }

  final @Nullable Comm commOf(MemoryHandle handle) {
    Registered found = registered.get(handle);
    return found == null ? null : found.comm();
  }

  final @Nullable Memory memoryOf(MemoryHandle handle) {
    Registered found = registered.get(handle);
    return found == null ? null : found.memory();
  }

  /**
   * Returns the memory of the last of several pieces; null for one piece, and where an argument is
   * not as the caller has to give it.
   */
  final @Nullable Memory memoryOfLast(int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    return n > 1
            && n <= Math.min(mrs.length, Math.min(offsets.length, lengths.length))
            && mrs[n - 1] != null
        ? memoryOf(mrs[n - 1])
        : null;
  }

  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
    MemoryHandle handle = super.regMr(comm, memory);
    registered.put(handle, new Registered(comm, memory));
    return handle;
  }

  @Override
  public void deregMr(Comm comm, MemoryHandle handle) {
    super.deregMr(comm, handle);
    registered.remove(handle);
  }

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    Request request = super.isend(comm, mr, offset, length, tag);
    if (request != null) {
      Op op = begin(request, comm, 1, true);
      piece(op, 0, mr, offset, length);
    }
    return request;
  }

  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    Request request = super.irecv(comm, n, mrs, offsets, lengths, tags);
    if (request != null) {
      Op op = begin(request, comm, n, false);
      for (int i = 0; i < n; i++) {
        piece(op, i, mrs[i], offsets[i], lengths[i]);
      }
    }
    return request;
  }

  private Op begin(Request request, Comm comm, int pieces, boolean sending) {
    Op op = ops.get(request);
    if (op == null || op.comm != comm) {
      op = new Op(comm);
      ops.put(request, op);
    }
    op.pieces = pieces;
    op.sending = sending;
    op.live = true;
    op.tests = 0;
    int[] count = inFlight.get(comm);
    if (count == null) {
      count = new int[1];
      inFlight.put(comm, count);
    }
    count[0]++;
    return op;
  }

  private void piece(Op op, int index, MemoryHandle mr, long offset, long length) {
    Registered found = registered.get(mr);
    op.memory[index] = found == null ? null : found.memory().segment();
    op.offsets[index] = offset;
    op.lengths[index] = length;
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    Op op = request == null ? null : ops.get(request);
    boolean done;
    try {
      done = super.test(request, sizes);
    } catch (NetException e) {
      if (op != null && e.result() != ResultCode.INVALID_ARGUMENT) {
        end(op);
      }
      throw e;
    }
    if (op != null) {
      op.tests++;
      if (done) {
        end(op);
        completed(op, sizes);
      }
    }
    return done;
  }

  private void end(Op op) {
    int[] count = inFlight.get(op.comm);
    if (op.live && count != null) {
      op.live = false;
      count[0]--;
    }
  }

  @Override
  public void closeSend(SendComm comm) {
    forget(comm);
    super.closeSend(comm);
  }

  @Override
  public void closeRecv(RecvComm comm) {
    forget(comm);
    super.closeRecv(comm);
  }

  private void forget(@Nullable Comm comm) {
    if (comm != null) {
      ops.values().removeIf(op -> op.comm == comm);
      registered.values().removeIf(memory -> memory.comm() == comm);
      inFlight.remove(comm);
    }
  }
}
