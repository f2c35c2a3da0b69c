// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.stream;

import io.nitinol.net.socket.request.SocketRequest;
import io.nitinol.net.socket.wire.BufferPool;
import io.nitinol.net.socket.wire.SocketMemory;
import io.nitinol.net.socket.wire.Wire;
import io.nitinol.toolkit.ErrorText;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A data stream on the sending side. It writes the chunks that the comm assigns to it, in order.
 * The thread that drives the comm calls {@link #load}, {@link #hasRoom}, {@link #assign} and {@link
 * #reap}; two counters hand the chunks over and back.
 */
public final class OutStream extends DataStream {
  /** How many chunks may be assigned: the one being written and the next. */
  public static final int DEPTH = 2;

  /**
   * How many bytes of a chunk are copied behind its header where the wire cannot send the two with
   * one call, so that no tiny packet leaves.
   */
  private static final int PREFIX = 4 << 10;

  /** The size in bytes of the buffer of a sending stream. */
  public static final int BUFFER = ChunkHeader.HEADER + PREFIX;

  private static final VarHandle ASSIGNED;
  private static final VarHandle FINISHED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      ASSIGNED = lookup.findVarHandle(OutStream.class, "assigned", long.class);
      FINISHED = lookup.findVarHandle(OutStream.class, "finished", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  // Chunks by their number on this stream, modulo DEPTH.
  private final @Nullable SocketRequest[] messages = new @Nullable SocketRequest[DEPTH];
  private final @Nullable SocketMemory[] memories = new @Nullable SocketMemory[DEPTH];
  private final long[] starts = new long[DEPTH];
  private final long[] numbers = new long[DEPTH];
  private final long[] offsets = new long[DEPTH];
  private final int[] lengths = new int[DEPTH];

  // How many chunks the comm has assigned, the stream has written, and the comm has seen written.
  private long assigned;
  private long finished;
  private long reaped;

  // How many bytes of header and payload the wire has taken of the chunk being written; -1 where
  // the next has not been begun.
  private int taken = -1;

  private final MemorySegment bytes;

  /**
   * Takes over a connected stream.
   *
   * @param lane the number of its buffers in a {@link SocketMemory}
   * @param buffers buffers of {@link #BUFFER} bytes
   */
  public OutStream(Wire wire, int lane, BufferPool buffers) {
    super(wire, lane, buffers);
    bytes = MemorySegment.ofBuffer(buffer.clear());
  }

  /** Returns how many chunks are assigned and not finished. */
  public int load() {
    return (int) (assigned - (long) FINISHED.getAcquire(this));
  }

  /** Returns whether another chunk can be assigned. */
  public boolean hasRoom() {
    return assigned - reaped < DEPTH;
  }

  /** Assigns a piece of a message, where there is room. */
  public void assign(SocketRequest message, long number, long offset, int length) {
    int i = (int) (assigned % DEPTH);
    messages[i] = message;
    memories[i] = Objects.requireNonNull(message.memory, "memory of a message in flight");
    starts[i] = message.offset;
    numbers[i] = number;
    offsets[i] = offset;
    lengths[i] = length;
    ASSIGNED.setRelease(this, assigned + 1);
  }

  /** Subtracts finished chunks from the count of their messages. */
  public void reap() {
    long done = (long) FINISHED.getAcquire(this);
    while (reaped < done) {
      SocketRequest message = messages[(int) (reaped++ % DEPTH)];
      Objects.requireNonNull(message, "message of a finished chunk").chunksLeft--;
    }
  }

  @Override
  int move() throws IOException {
    if (!isBusy() || wire.isBackingOff()) {
      return 0;
    }
    int i = (int) (finished % DEPTH);
    SocketMemory memory = Objects.requireNonNull(memories[i], "memory of an assigned chunk");
    int length = lengths[i];
    int prefix = wire.isGathering() ? 0 : Math.min(length, PREFIX);
    int head = ChunkHeader.HEADER + prefix;
    if (taken < 0) {
      buffer.clear();
      ChunkHeader.write(buffer, length, numbers[i], offsets[i]);
      if (prefix > 0) {
        checkRegistered(memory);
        MemorySegment.copy(
            memory.segment, starts[i] + offsets[i], bytes, ChunkHeader.HEADER, prefix);
      }
      taken = 0;
    }
    int moved = 0;
    while (taken < ChunkHeader.HEADER + length) {
      buffer.limit(head).position(Math.min(head, taken));
      int done = Math.max(head, taken) - ChunkHeader.HEADER;
      int part = Math.min(length - done, largestCall);
      int wanted = buffer.remaining() + part;
      checkRegistered(memory);
      int took = write(memory, starts[i] + offsets[i] + done, part);
      taken += took;
      moved += took;
      if (took < wanted) {
        wire.backOff(ChunkHeader.HEADER + length - taken);
        wire.flush();
        return moved; // the kernel's buffer is full
      }
      if (moved >= wire.bytesPerCall()) {
        return moved;
      }
    }
    if (!wire.flush()) {
      return moved;
    }
    taken = -1;
    FINISHED.setRelease(this, finished + 1);
    return moved;
  }

  private int write(SocketMemory memory, long offset, int length) throws IOException {
    return length == 0 ? wire.write(buffer) : wire.write(buffer, memory, lane, offset, length);
  }

  @Override
  boolean isBusy() {
    return finished != (long) ASSIGNED.getAcquire(this);
  }

  @Override
  String occupation() {
    if (!isBusy()) {
      return "with nothing to send";
    }
    int i = (int) (finished % DEPTH);
    return ErrorText.of(
        "while sending %d bytes from %d of message %d on data stream %d",
        lengths[i], offsets[i], numbers[i], lane);
  }
}
