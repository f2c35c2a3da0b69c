// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.tck;

import io.nitinol.cli.command.ExitStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Ends the processes that the kit has started when the command ends, be it by Ctrl-C: no one waits
 * for their results any more.
 */
final class LeftProcesses {
  private static final long LIMIT_NANOS = Duration.ofSeconds(2).toNanos();
  private static final long POLL_NANOS = Duration.ofMillis(10).toNanos();

  private LeftProcesses() {}

  /** Sees to it, once for this process. */
  static void endWithThisProcess() {
    endWithThisProcess(() -> {});
  }

  /**
   * The same, and has something done after it.
   *
   * @param last what is done when the processes have ended; it may halt the JVM
   */
  static void endWithThisProcess(Runnable last) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  end();
                  last.run();
                },
                "tck-end"));
  }

  /** Sees to it that this process ends with the one that started it, even if that is killed. */
  static void endWithParent() {
    ProcessHandle parent = ProcessHandle.current().parent().orElse(null);
    if (parent != null) {
      Thread.ofPlatform()
          .daemon()
          .name("tck-parent")
          .start(() -> {
            parent.onExit().join();
            end();
            Runtime.getRuntime().halt(ExitStatus.INTERNAL);
          });
    }
  }

  /** The run goes on while the JVM shuts down, and may start one more in the meantime. */
  private static void end() {
    long deadline = System.nanoTime() + LIMIT_NANOS;
    List<ProcessHandle> left = descendants();
    while (!left.isEmpty() && System.nanoTime() < deadline) {
      left.forEach(ProcessHandle::destroyForcibly);
      LockSupport.parkNanos(POLL_NANOS);
      left = descendants();
    }
  }

  private static List<ProcessHandle> descendants() {
    return ProcessHandle.current().descendants().filter(ProcessHandle::isAlive).toList();
  }
}
