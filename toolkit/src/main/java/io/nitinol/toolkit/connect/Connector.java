// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one plugin that are on their way to listeners; what {@code connect} of a
 * network plugin needs. The buffer of a handle only holds a number that finds the attempt here, and
 * the stamp of this table. A copy of the buffer in the same process stands for the same attempt;
 * one that came from elsewhere starts an attempt of its own. An attempt that is not asked about for
 * the time that connecting may take is dropped when the next attempt begins. No call waits. Safe
 * for any thread.
 *
 * <p>In a handle of version 4 the two stand in place of its first 16 bytes until the attempt is
 * over. So a copy that was made meanwhile is of no use elsewhere, nor afterwards.
 *
 * @param <C> the comm that the plugin makes of connections to a listener
 */
public final class Connector<C> {
  private static final int MOST = 65_536;

  private final long stamp = Secrets.stamp();
  private final AtomicLong nextId = new AtomicLong();
  private final ConcurrentHashMap<Long, ConnectAttempt<C>> attempts = new ConcurrentHashMap<>();
  private final ConnectOptions options;
  private final DebugLogger logger;

  /**
   * Begins with no attempt.
   *
   * @param options the plugin's settings
   * @param logger told of tries that failed
   */
  public Connector(ConnectOptions options, DebugLogger logger) {
    this.options = options;
    this.logger = logger;
  }

  /**
   * Begins the attempt that {@code handle} stands for, or goes on with it.
   *
   * @param here this side
   * @param handle the buffer that a listener's handle was copied to, writable and of {@link
   *     ConnectOptions#handleBytes} bytes; the attempt is noted in it, in bytes 64 to 79 or else 0
   *     to 15, and when it is over its bytes are again what the listener wrote. Not kept
   * @param beginning what is done with the connections once they are proven; that of the first call
   *     of an attempt holds
   * @return the comm, the caller's from here on; null: not yet, call again with the same memory
   * @throws NetException when the attempt has failed for good, and all it held is freed:
   *     INVALID_ARGUMENT for what is no handle, or one of another plugin or version, and for a
   *     handle of version 4 whose attempt began on another device, which goes on; REMOTE_ERROR when
   *     the listener cannot be reached, does not answer in time or cannot prove itself;
   *     INVALID_USAGE when it wants other features; SYSTEM_ERROR when this machine gives no socket;
   *     TIMEOUT when a handle of version 4 stands for an attempt that is gone (NET-CONN-19); and
   *     what the plugin's {@link Completion} throws
   */
  public @Nullable C connect(
      LocalEnd here, MemorySegment handle, Completion.Beginning<C> beginning) {
    int size = options.handleBytes();
    ListenHandle.checkBuffer(handle, size);
    long now = System.nanoTime();
    ConnectAttempt<C> attempt = find(here, handle, now);
    if (attempt == null) {
      ListenHandle target = ListenHandle.read(handle, options.plugin());
      attempt = begin(new Route(here, target, options, logger), beginning, handle, now);
    }
    try {
      return attempt.advance(now);
    } finally {
      if (attempt.isOver()) {
        // The buffer may serve for another connection to the same listener.
        attempts.remove(ListenHandle.attemptId(handle, size), attempt);
        attempt.target().write(handle, size);
      }
    }
  }

  private @Nullable ConnectAttempt<C> find(LocalEnd here, MemorySegment handle, long now) {
    int size = options.handleBytes();
    if (ListenHandle.attemptOwner(handle, size) != stamp) {
      return null;
    }
    long id = ListenHandle.attemptId(handle, size);
    ConnectAttempt<C> attempt = attempts.get(id);
    if (ListenHandle.isNoteInPlace(size)) {
      return findInPlace(here, handle, id, attempt, now);
    }
    return attempt != null
            && attempt.isFrom(here)
            && !isForgotten(attempt, now)
            && attempt.isTo(ListenHandle.read(handle, options.plugin()))
        ? attempt
        : null;
  }

  /** Finds the attempt of a handle that does not tell any more where the listener is. */
  private @Nullable ConnectAttempt<C> findInPlace(
      LocalEnd here, MemorySegment handle, long id, @Nullable ConnectAttempt<C> attempt, long now) {
    if (attempt == null) {
      throw new NetException(
          ResultCode.TIMEOUT,
          ErrorText.of(
              "attempt %d to connect from %s is over, or no call has asked about it for %d ms (%s)",
              id,
              here.label(),
              options.connectMillis().value(),
              options.connectMillis().variable()));
    }
    if (!attempt.isFrom(here)) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "the handle stands for attempt %d, which began on %s and not on %s",
              id, attempt.from(), here.label()));
    }
    if (!isForgotten(attempt, now)) {
      return attempt;
    }
    attempts.remove(id, attempt);
    attempt.giveUp();
    attempt.target().write(handle, options.handleBytes());
    return null;
  }

  private ConnectAttempt<C> begin(
      Route route, Completion.Beginning<C> beginning, MemorySegment handle, long now) {
    dropForgotten(now);
    if (attempts.size() >= MOST) {
      throw new NetException(
          ResultCode.SYSTEM_ERROR,
          MOST + " connections are on their way; none can be added on " + route.here().label());
    }
    ConnectAttempt<C> attempt = new ConnectAttempt<>(route, beginning, now);
    long id = nextId.incrementAndGet();
    attempts.put(id, attempt);
    ListenHandle.noteAttempt(handle, options.handleBytes(), stamp, id);
    return attempt;
  }

  private void dropForgotten(long now) {
    for (Iterator<ConnectAttempt<C>> i = attempts.values().iterator(); i.hasNext(); ) {
      ConnectAttempt<C> attempt = i.next();
      if (isForgotten(attempt, now)) {
        i.remove();
        attempt.giveUp();
      }
    }
  }

  private boolean isForgotten(ConnectAttempt<C> attempt, long now) {
    return now - attempt.lastAsked() > options.connectNanos();
  }

  /** Gives up all connections on their way, and frees what they hold. Others may be begun. */
  public void abandon() {
    for (Iterator<ConnectAttempt<C>> i = attempts.values().iterator(); i.hasNext(); ) {
      ConnectAttempt<C> attempt = i.next();
      i.remove();
      attempt.giveUp();
    }
  }

  /**
   * Returns how many connections are on their way.
   *
   * @return their number, 0 or more
   */
  public int underWay() {
    return attempts.size();
  }
}
