// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.thread;

/** Threads for something short that must happen, and for which its caller cannot wait. */
@AnyThread
public final class DaemonThreads {
  private DaemonThreads() {}

  /**
   * Runs a task on a thread of its own. It is a platform thread, since all that carry virtual
   * threads may be in calls that only this task ends. Where the process gets no more threads it is
   * a virtual one, which shares those that there are.
   *
   * @param name the thread's name
   * @param task what it runs
   */
  public static void start(String name, Runnable task) {
    try {
      Thread.ofPlatform().daemon().name(name).start(task);
    } catch (OutOfMemoryError e) {
      Thread.ofVirtual().name(name).start(task);
    }
  }
}
