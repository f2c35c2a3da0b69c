// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Knows whether this process is told to end. Ctrl-C reaches it and the process that it has started,
 * and that one may end before this one notices.
 */
public final class ShutdownWatch {
  /** How long a signal for both processes may take from one to the other; a busy machine's. */
  private static final long SIGNAL_MILLIS = 1_000;

  private final CountDownLatch begun = new CountDownLatch(1);

  private ShutdownWatch() {}

  /**
   * Watches from now on, until this process ends.
   *
   * @param thread the name of the thread that notices
   * @param then what that thread does next
   */
  public static ShutdownWatch start(String thread, Runnable then) {
    ShutdownWatch watch = new ShutdownWatch();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  watch.begun.countDown();
                  then.run();
                },
                thread));
    return watch;
  }

  /**
   * Returns whether this process is told to end; waits a moment for that where the end of the other
   * process makes it likely. That one cannot report a signal as long as its JVM comes up, and its
   * status alone may be the plugin's.
   *
   * @param reported whether the other process has reported how it ended
   * @param status its exit status
   */
  public boolean hasBegun(boolean reported, int status) throws InterruptedException {
    boolean likely = !reported && ExitReason.isAsked(status);
    return begun.await(likely ? SIGNAL_MILLIS : 0, TimeUnit.MILLISECONDS);
  }
}
