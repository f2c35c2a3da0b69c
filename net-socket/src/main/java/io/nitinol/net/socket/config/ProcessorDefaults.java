// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.config;

import java.util.concurrent.TimeUnit;

/**
 * Defaults that depend on the number of processors, for variables that are not set. With plenty of
 * processors, one core's copying bounds the rate of a comm while others are idle: threads that help
 * double the rate of large messages. With few processors, such threads compete with the program
 * that they work for.
 *
 * @param threads for how many threads a comm has data sockets, one for each
 * @param inline the largest message that the control stream carries beside data streams, in bytes
 * @param minTask the fewest bytes of a message that go over one data stream
 * @param spinNanos how long a helping thread spins before it rests, in nanoseconds
 */
public record ProcessorDefaults(int threads, int inline, int minTask, long spinNanos) {
  /** Two ranks, each with the thread that drives and two that help, leave some to the program. */
  private static final int ROOMY = 8;

  /**
   * A host with GPUs has 12 to 32 processors for each. A host that runs a rank on each processor
   * has none to spare however many there are, but its ranks use shared memory.
   */
  private static final int PLENTY = 32;

  private static final ProcessorDefaults WITH_ONE_OR_TWO =
      new ProcessorDefaults(0, 64 << 10, 64 << 10, 0);
  private static final ProcessorDefaults WITH_SOME =
      new ProcessorDefaults(0, 64 << 10, 64 << 10, micros(50));
  private static final ProcessorDefaults WITH_ROOM =
      new ProcessorDefaults(2, 256 << 10, 64 << 10, micros(300));
  private static final ProcessorDefaults WITH_PLENTY =
      new ProcessorDefaults(2, (32 << 10) - 1, 32 << 10, micros(300));

  /** Returns the defaults for so many processors; with two, a spinning thread stops its peer. */
  public static ProcessorDefaults with(int processors) {
    if (processors >= PLENTY) {
      return WITH_PLENTY;
    }
    return processors >= ROOMY ? WITH_ROOM : processors > 2 ? WITH_SOME : WITH_ONE_OR_TWO;
  }

  /** Returns the defaults for this process. */
  public static ProcessorDefaults here() {
    return with(Runtime.getRuntime().availableProcessors());
  }

  private static long micros(int micros) {
    return TimeUnit.MICROSECONDS.toNanos(micros);
  }
}
