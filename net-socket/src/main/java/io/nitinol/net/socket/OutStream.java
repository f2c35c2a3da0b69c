// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.SelectionKey;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A data stream on the sending side: writes the chunks that the driver of the comm assigns to it,
 * in order. The driver calls {@link #hasRoom}, {@link #assign} and {@link #reap}; the two counters
 * hand the chunks over and back.
 */
final class OutStream extends DataStream {
  /** How many chunks may be assigned: one being written and one for when it is done. */
  static final int DEPTH = 2;

  /**
   * How much of a chunk is copied behind its header where the two do not leave with one call
   * otherwise, so that no tiny packet leaves.
   */
  private static final int PREFIX = 4 << 10;

  /** The size of the buffer of a sending stream. */
  static final int BUFFER = ChunkHeader.HEADER + PREFIX;

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

  // Written by the driver, and by who works the stream; the driver's view of the latter.
  private long assigned;
  private long finished;
  private long reaped;

  // Of the chunk being written, how many bytes of header and payload the wire has taken; -1 where
  // the next has not been begun.
  private int taken = -1;

  private final MemorySegment bytes;

  OutStream(Wire wire, int lane) {
    super(wire, lane, wire.device().plugin().chunkBuffers);
    bytes = MemorySegment.ofBuffer(buffer.clear());
  }

  /** Returns how many chunks are assigned and not finished. The driver. */
  int load() {
    return (int) (assigned - (long) FINISHED.getAcquire(this));
  }

  /** Returns whether another chunk can be assigned. The driver. */
  boolean hasRoom() {
    return assigned - reaped < DEPTH;
  }

  /** Assigns a piece of a message. The driver, where there is room. */
  void assign(SocketRequest message, long number, long offset, int length) {
    int i = (int) (assigned % DEPTH);
    messages[i] = message;
    memories[i] = Objects.requireNonNull(message.memory, "memory of a message in flight");
    starts[i] = message.offset;
    numbers[i] = number;
    offsets[i] = offset;
    lengths[i] = length;
    ASSIGNED.setRelease(this, assigned + 1);
  }

  /** Counts the chunks that are finished off their messages. The driver. */
  void reap() {
    long done = (long) FINISHED.getAcquire(this);
    while (reaped < done) {
      SocketRequest message = messages[(int) (reaped++ % DEPTH)];
      Objects.requireNonNull(message, "message of a finished chunk").chunksLeft--;
    }
  }

  @Override
  int move() throws IOException {
    if (!isBusy() || wire.rests()) {
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
      int part = Math.min(length - done, LARGEST_CALL);
      int wanted = buffer.remaining() + part;
      checkRegistered(memory);
      int took = write(memory, starts[i] + offsets[i] + done, part);
      taken += took;
      moved += took;
      if (took < wanted) {
        wire.rest(ChunkHeader.HEADER + length - taken);
        wire.flush();
        return moved; // the kernel's buffer is full
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
  int interest() {
    return SelectionKey.OP_WRITE;
  }

  @Override
  String occupation() {
    if (!isBusy()) {
      return "with nothing to send";
    }
    int i = (int) (finished % DEPTH);
    return "while sending "
        + lengths[i]
        + " bytes from "
        + offsets[i]
        + " of message "
        + numbers[i]
        + " on data stream "
        + lane;
  }
}
