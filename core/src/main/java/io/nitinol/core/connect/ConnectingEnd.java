// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.connect;

import io.nitinol.spi.DebugLogger;
import io.nitinol.toolkit.thread.WaitingCall;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The attempt to establish one end of a connection: polled by the thread that connects, or by one
 * of its own where a poll may wait. The other methods belong to the thread that connects, and once
 * that has ended to the one that closes.
 *
 * @param <T> the connector
 */
final class ConnectingEnd<T> {
  private final Supplier<@Nullable T> attempt;
  private final Consumer<T> closeConnector;
  private final Runnable closeAttempt;
  private final CommMemory memory;
  private final DebugLogger logger;
  private final @Nullable WaitingCall<T> call;
  private @Nullable T connected;
  private boolean abandoned;

  /**
   * Creates an end that nothing has been done for.
   *
   * @param thread the name of a thread to poll on, or null where polls never wait
   * @param attempt moves the connection on, and returns it when it is there
   * @param closeConnector closes the connection
   * @param closeAttempt frees what the attempt holds beside it; needs no attempt to have been made
   * @param memory what connections use, which is kept where closing one fails
   */
  ConnectingEnd(
      @Nullable String thread,
      Supplier<@Nullable T> attempt,
      Consumer<T> closeConnector,
      Runnable closeAttempt,
      CommMemory memory,
      DebugLogger logger) {
    this.attempt = attempt;
    this.closeConnector = closeConnector;
    this.closeAttempt = closeAttempt;
    this.memory = memory;
    this.logger = logger;
    this.call = thread == null ? null : new WaitingCall<>(thread, attempt, this::dispose);
  }

  /** Starts the thread, if there is one. */
  void start() {
    if (call != null) {
      call.start();
    }
  }

  /** Moves the connection on; returns whether that established it. */
  boolean poll() {
    if (connected == null) {
      connected = call == null ? attempt.get() : call.poll();
      return connected != null;
    }
    return false;
  }

  /** Returns the connection, or null while there is none. */
  @Nullable T connected() {
    return connected;
  }

  /** Gives up: what is there is closed now, or by the thread that is still inside the plugin. */
  void abandon() {
    if (connected == null && call != null) {
      abandoned = call.abandon();
      if (!abandoned) {
        connected = call.result();
      }
    }
    if (!abandoned) {
      dispose(connected);
    }
  }

  /**
   * Waits until the thread of an abandoned end has left the plugin and has closed everything.
   *
   * @return the thread's name where it has not; its memory is kept then
   */
  @Nullable String stuck(long deadline) {
    if (!abandoned || call == null || call.join(deadline)) {
      return null;
    }
    memory.keep("thread " + call.name() + " is inside the network plugin");
    return call.name();
  }

  private void dispose(@Nullable T connector) {
    if (connector != null) {
      closeNow(connector);
    }
    finish();
  }

  /** Closes a connection that is there after all, and no longer wanted. */
  void closeConnected() {
    T connector = connected;
    if (connector != null) {
      closeNow(connector);
    }
  }

  private void closeNow(T connector) {
    try {
      closeConnector.accept(connector);
    } catch (Throwable e) {
      memory.keep("closing a connection failed: " + e);
      logger.warn("LazyConnectors", "closing a connection failed: " + e);
    }
  }

  /** Frees what the attempt holds beside the connection. A failure costs what it holds. */
  void finish() {
    try {
      closeAttempt.run();
    } catch (Throwable e) {
      logger.warn("LazyConnectors", "closing a listener failed, it stays open: " + e);
    }
  }
}
