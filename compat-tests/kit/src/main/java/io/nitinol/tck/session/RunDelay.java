// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How long a thread was ready to run while others had the cores. That time is the machine's and not
 * the plugin's: a call that needs a millisecond takes seconds in a crowd.
 */
public final class RunDelay {
  private static final Path OWN = Path.of("/proc/thread-self");
  private static final Path TASKS = Path.of("/proc/self/task");
  private static final String FIGURES = "schedstat";

  /** The thread's number, or 0 where the system does not tell. */
  private final long thread;

  private RunDelay(long thread) {
    this.thread = thread;
  }

  /** Returns the delays of the calling thread; any thread may ask for them. */
  public static RunDelay ofThisThread() {
    try {
      return new RunDelay(Long.parseLong(Files.readSymbolicLink(OWN).getFileName().toString()));
    } catch (IOException | NumberFormatException e) {
      return new RunDelay(0);
    }
  }

  /**
   * Returns the nanoseconds since the thread began in which it waited for a core; 0 where the
   * system does not count them, or the thread has ended.
   */
  public long nanos() {
    if (thread == 0) {
      return 0;
    }
    try {
      String figures =
          Files.readString(TASKS.resolve(Long.toString(thread)).resolve(FIGURES)).strip();
      String[] each = figures.split(" ", -1);
      return each.length < 2 ? 0 : Long.parseLong(each[1]);
    } catch (IOException | NumberFormatException e) {
      return 0;
    }
  }
}
