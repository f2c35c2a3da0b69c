// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.call;

import io.nitinol.core.CommException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lends native memory of a communicator for data that is not native itself, or is put together. A
 * buffer that was given back is lent again; idle buffers beyond a bound are freed.
 */
@AnyThread
public final class StagingMemory {
  /** The most bytes that are kept to be lent again. */
  private static final long MAX_IDLE_BYTES = 256L << 20;

  private static final long SMALLEST = 4096;

  /** A buffer that is lent, at least as long as was asked for. */
  public record Buffer(Arena arena, MemorySegment memory) {}

  private final ArrayDeque<Buffer> idle = new ArrayDeque<>();
  private final List<Buffer> lent = new ArrayList<>();

  /** Buffers that their callers copy to and from, which are freed only when these let go. */
  private final List<Buffer> held = new ArrayList<>();

  private long idleBytes;
  private boolean closed;

  /** Whether what operations had used when it was closed could be freed. */
  private boolean unused;

  /** Lends a buffer of at least {@code bytes}, aligned to 64 bytes, with any content. */
  public Buffer lend(long bytes) {
    return lend(bytes, false);
  }

  /** As {@link #lend}, and it is not freed before {@link #giveBack} or {@link #leave}. */
  public Buffer hold(long bytes) {
    return lend(bytes, true);
  }

  private Buffer lend(long bytes, boolean holds) {
    long size = Math.max(SMALLEST, roundUp(bytes));
    Buffer found = take(size, holds);
    if (found == null) {
      found = allocate(size);
      add(found, holds);
    }
    return found;
  }

  private synchronized void add(Buffer buffer, boolean holds) {
    if (closed && !holds) { // nobody looks at what is lent any more
      buffer.arena().close();
      throw new CommException(ResultCode.INVALID_USAGE, "the communicator is closed");
    }
    (holds ? held : lent).add(buffer);
  }

  /** Not while others are locked out: Java writes zeros to all of it. */
  private static Buffer allocate(long size) {
    Arena arena = Arena.ofShared();
    try {
      return new Buffer(arena, arena.allocate(size, 64));
    } catch (RuntimeException | Error e) {
      arena.close();
      throw e;
    }
  }

  /**
   * Lets go of a buffer that was held, and that an operation may use until the communicator is
   * closed.
   */
  public synchronized void leave(Buffer buffer) {
    held.remove(buffer);
    if (!closed) {
      lent.add(buffer);
    } else if (unused) {
      buffer.arena().close();
    }
  }

  private synchronized @Nullable Buffer take(long size, boolean holds) {
    for (var each = idle.iterator(); each.hasNext(); ) {
      Buffer buffer = each.next();
      if (buffer.memory().byteSize() == size) {
        each.remove();
        idleBytes -= size;
        add(buffer, holds);
        return buffer;
      }
    }
    return null;
  }

  /** Up to the next power of two; from 64 MiB on to the next multiple of that, to waste less. */
  private static long roundUp(long bytes) {
    long step = 64L << 20;
    return bytes >= step
        ? (bytes + step - 1) / step * step
        : Long.highestOneBit(Math.max(1, bytes - 1)) << 1;
  }

  /** Takes a buffer back that no operation uses any more. */
  public synchronized void giveBack(Buffer buffer) {
    if (!lent.remove(buffer) && !held.remove(buffer)) {
      return; // freed when the communicator was closed
    }
    long size = buffer.memory().byteSize();
    if (closed || size > MAX_IDLE_BYTES) {
      buffer.arena().close();
      return;
    }
    idle.addLast(buffer);
    idleBytes += size;
    while (idleBytes > MAX_IDLE_BYTES) {
      Buffer oldest = idle.removeFirst();
      idleBytes -= oldest.memory().byteSize();
      oldest.arena().close();
    }
  }

  /**
   * Frees the idle buffers, now and whenever one comes back.
   *
   * @param noneUsed whether no operation can be using the lent buffers, which are then freed too
   */
  public synchronized void close(boolean noneUsed) {
    closed = true;
    unused = noneUsed;
    idle.forEach(buffer -> buffer.arena().close());
    idle.clear();
    idleBytes = 0;
    if (noneUsed) {
      lent.forEach(buffer -> buffer.arena().close());
      lent.clear();
    }
  }
}
