// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The connections on their way. The buffer of a handle only holds a number that finds the attempt
 * here, and the stamp of this table: a buffer that was copied to or came from elsewhere starts an
 * attempt of its own. An attempt that nobody asks about for the time of {@link
 * SocketVariables#CONNECT_MSEC} is dropped when the next attempt begins. Safe for any thread.
 */
final class ConnectTable {
  private static final int MOST = 65_536;

  private final long stamp = Secrets.stamp();
  private final AtomicLong nextId = new AtomicLong();
  private final ConcurrentHashMap<Long, ConnectAttempt> attempts = new ConcurrentHashMap<>();
  private final SocketOptions options;
  private final DebugLogger logger;

  ConnectTable(SocketOptions options, DebugLogger logger) {
    this.options = options;
    this.logger = logger;
  }

  /** Begins the attempt that {@code handle} stands for, or goes on with it. */
  @Nullable SendEnd connect(SocketDevice device, MemorySegment handle) {
    ListenHandle target = ListenHandle.read(handle);
    long now = System.nanoTime();
    ConnectAttempt attempt = find(device, target, handle);
    if (attempt == null) {
      attempt = begin(device, target, handle, now);
    }
    try {
      return attempt.advance(now);
    } finally {
      if (attempt.isOver()) {
        // The buffer may serve for another connection to the same listener.
        attempts.remove(ListenHandle.attemptId(handle), attempt);
        ListenHandle.noteAttempt(handle, 0, 0);
      }
    }
  }

  private @Nullable ConnectAttempt find(
      SocketDevice device, ListenHandle target, MemorySegment handle) {
    if (ListenHandle.attemptOwner(handle) != stamp) {
      return null;
    }
    ConnectAttempt attempt = attempts.get(ListenHandle.attemptId(handle));
    return attempt != null && attempt.isFor(device, target) ? attempt : null;
  }

  private ConnectAttempt begin(
      SocketDevice device, ListenHandle target, MemorySegment handle, long now) {
    dropForgotten(now);
    if (attempts.size() >= MOST) {
      throw new NetException(
          ResultCode.SYSTEM_ERROR,
          MOST + " connections are on their way; none can be added on " + device.label());
    }
    ConnectAttempt attempt = new ConnectAttempt(new Route(device, target, options, logger), now);
    long id = nextId.incrementAndGet();
    attempts.put(id, attempt);
    ListenHandle.noteAttempt(handle, stamp, id);
    return attempt;
  }

  private void dropForgotten(long now) {
    for (Iterator<ConnectAttempt> i = attempts.values().iterator(); i.hasNext(); ) {
      ConnectAttempt attempt = i.next();
      if (now - attempt.lastAsked() > options.connectNanos()) {
        i.remove();
        attempt.giveUp();
      }
    }
  }

  /** Returns how many connections are on their way. */
  int size() {
    return attempts.size();
  }
}
