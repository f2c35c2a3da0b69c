// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What the data streams of a receiving end may know of its messages: which have been announced on
 * the control stream and have a receive. Told by the driver of the comm, asked by any thread.
 */
final class AnnouncedMessages {
  /**
   * How far ahead of the last message announced a chunk may be. A sender is ahead by what the
   * buffers of a connection hold, and its large messages have 64 KiB at least.
   */
  static final long FARTHEST = 1 << 20;

  private static final VarHandle COUNT;
  private static final VarHandle OPEN;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      COUNT = lookup.findVarHandle(AnnouncedMessages.class, "count", long.class);
      OPEN = lookup.findVarHandle(AnnouncedMessages.class, "open", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final RequestRing ring;

  @SuppressWarnings("UnusedVariable") // by COUNT
  private long count;

  /** How many messages that come in chunks are not complete. */
  @SuppressWarnings("UnusedVariable") // by OPEN
  private long open;

  AnnouncedMessages(RequestRing ring) {
    this.ring = ring;
  }

  /** Says how many messages have been announced. The driver. */
  void tell(long messages, long incomplete) {
    OPEN.setRelease(this, incomplete);
    COUNT.setRelease(this, messages);
  }

  long count() {
    return (long) COUNT.getAcquire(this);
  }

  /** Returns whether any message that comes in chunks is announced and not complete. */
  boolean isOpen() {
    return (long) OPEN.getAcquire(this) > 0;
  }

  /** Returns the request that had, or has, {@code number}; {@link SocketRequest#claim} tells. */
  SocketRequest get(long number) {
    return ring.get(number);
  }
}
