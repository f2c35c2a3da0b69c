// SPDX-License-Identifier: Apache-2.0
package io.nitinol.netns;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Kills a process unless closed in time: reading from a process has no time limit of its own. */
final class Deadline implements AutoCloseable {
  private final int seconds;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile boolean missed;

  private Deadline(int seconds) {
    this.seconds = seconds;
  }

  static Deadline of(Process process, int seconds) {
    Deadline deadline = new Deadline(seconds);
    Thread.ofVirtual()
        .start(() -> {
          try {
            if (!deadline.closed.await(seconds, TimeUnit.SECONDS)) {
              deadline.missed = true;
              process.descendants().forEach(ProcessHandle::destroyForcibly);
              process.destroyForcibly();
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    return deadline;
  }

  /** Throws when the process was killed. */
  void check(String what) throws IOException {
    if (missed) {
      throw new IOException(what + ": not done after " + seconds + " s");
    }
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
