// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.core.log.Log;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells, once, that a call of a plugin's code has not returned after some seconds. It never ends
 * the call: a card may need a minute, and only the user knows. One daemon thread of the process
 * does the telling, and ends when no call is watched.
 */
@AnyThread
final class SlowCall implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final ScheduledThreadPoolExecutor CLOCK = clock();

  private static volatile boolean off;

  private final @Nullable Future<?> line;

  private SlowCall(@Nullable Future<?> line) {
    this.line = line;
  }

  private static ScheduledThreadPoolExecutor clock() {
    ScheduledThreadPoolExecutor clock =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("nitinol-plugin-watch").factory());
    clock.setRemoveOnCancelPolicy(true);
    clock.setKeepAliveTime(1, TimeUnit.SECONDS);
    clock.allowCoreThreadTimeOut(true);
    return clock;
  }

  /**
   * Watches no call from now on. For a host that is no Java program: the thread would begin inside
   * one of its calls, with its signal mask, and would take signals that are the host's.
   */
  static void turnOff() {
    off = true;
  }

  /**
   * Watches a call until {@link #close}.
   *
   * @param what the call, evaluated when it is told of
   */
  static SlowCall watch(Supplier<String> what) {
    return off ? new SlowCall(null) : watch(what, PATIENCE, SlowCall::tell);
  }

  /** The same, with another patience and another place for the line. */
  static SlowCall watch(Supplier<String> what, Duration patience, Consumer<String> told) {
    Runnable line =
        () ->
            told.accept(
                ErrorText.of(
                    "still waiting for %s, after %s s; nothing but the plugin ends this wait",
                    what.get(), patience.toSeconds()));
    return new SlowCall(CLOCK.schedule(line, patience.toMillis(), TimeUnit.MILLISECONDS));
  }

  private static void tell(String sentence) {
    if (UnmetRequest.isFirstOfHost(Settings.process())) { // the others wait for the same
      Log.tell(Log.process(), "SlowCall", sentence);
    }
  }

  /** Ends the watching; the call has returned or thrown. */
  @Override
  public void close() {
    if (line != null) {
      line.cancel(false);
    }
  }
}
