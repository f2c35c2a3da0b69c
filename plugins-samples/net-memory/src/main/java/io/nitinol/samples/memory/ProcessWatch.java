// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Notices the end of another process (NET-ERR-07). One watch serves all connections to it, on any
 * thread: it looks every few milliseconds, however often it is asked.
 */
final class ProcessWatch {
  private static final long PERIOD = TimeUnit.MILLISECONDS.toNanos(20);

  final ProcessId process;
  private final @Nullable ProcessStat stat; // null: nothing left to look at
  private final AtomicBoolean looking = new AtomicBoolean();
  private volatile long nextLook;
  private volatile boolean ended;
  private int users; // guarded by ProcessWatches, as are the two methods that change it

  private ProcessWatch(ProcessId process, @Nullable ProcessStat stat, boolean ended) {
    this.process = process;
    this.stat = stat;
    this.ended = ended;
    this.nextLook = System.nanoTime() + PERIOD;
  }

  /** A watch on the process that watches: it never ends before the watch does. */
  static ProcessWatch ofSelf(ProcessId self) {
    return new ProcessWatch(self, null, false);
  }

  /** A watch on another process, which may have ended; fails where no descriptor is left. */
  static ProcessWatch of(ProcessId process) throws IOException {
    try {
      ProcessStat stat = ProcessStat.open(process.statFile());
      if (stat.start() == process.start() && !stat.isDead()) {
        return new ProcessWatch(process, stat, false);
      }
      stat.close();
    } catch (IOException e) {
      if (Files.exists(Path.of(process.statFile()))) {
        throw e;
      }
    }
    return new ProcessWatch(process, null, true);
  }

  /** Returns whether the process has ended, as of a few milliseconds ago. */
  boolean hasEnded() {
    if (!ended
        && stat != null
        && System.nanoTime() - nextLook >= 0
        && looking.compareAndSet(false, true)) {
      try {
        stat.read();
        ended = stat.isDead();
      } catch (IOException e) {
        ended = true; // which is what the kernel says about a process that is no more
      } finally {
        nextLook = System.nanoTime() + PERIOD;
        looking.set(false);
      }
    }
    return ended;
  }

  void use() {
    users++;
  }

  /** Returns whether nobody uses it any more. */
  boolean disuse() throws IOException {
    if (--users > 0) {
      return false;
    }
    if (stat != null) {
      stat.close();
    }
    return true;
  }
}
