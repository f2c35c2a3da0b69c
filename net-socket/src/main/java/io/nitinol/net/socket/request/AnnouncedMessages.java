// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.request;

import io.nitinol.toolkit.thread.AnyThread;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The messages that have been announced on the control stream and have a receive: those for which
 * the data streams of a receiving comm may accept chunks. The thread that drives the comm publishes
 * them; any thread may ask.
 */
@AnyThread
public final class AnnouncedMessages {
  /**
   * How many messages a chunk may be ahead of the last one announced. A sender is ahead by what the
   * buffers of a connection hold, and its large messages have 64 KiB at least.
   */
  public static final long FARTHEST = 1 << 20;

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

  /** How many announced messages lack chunks. */
  @SuppressWarnings("UnusedVariable") // by OPEN
  private long open;

  /** Publishes messages of a comm's ring; none at first. */
  public AnnouncedMessages(RequestRing ring) {
    this.ring = ring;
  }

  /**
   * Publishes how many messages have been announced, and how many of them lack chunks. Only the
   * thread that drives the comm may call this.
   */
  public void publish(long messages, long incomplete) {
    OPEN.setRelease(this, incomplete);
    COUNT.setRelease(this, messages);
  }

  /** Returns how many messages have been announced since the comm exists. */
  public long count() {
    return (long) COUNT.getAcquire(this);
  }

  /** Returns whether an announced message lacks chunks. */
  public boolean isOpen() {
    return (long) OPEN.getAcquire(this) > 0;
  }

  /**
   * Returns the request that has or had {@code number}; {@link SocketRequest#claim} checks which.
   */
  public SocketRequest get(long number) {
    return ring.get(number);
  }
}
