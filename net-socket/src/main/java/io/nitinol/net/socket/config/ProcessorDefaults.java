// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.config;

import java.util.concurrent.TimeUnit;

/**
 * Defaults that depend on the number of processors, for variables that are not set. With plenty of
 * processors, one core's copying bounds the rate of a comm while others are idle: threads of its
 * own more than double the rate from 1 MiB on. With few processors, such threads compete with the
 * program that they work for.
 *
 * @param threads how many threads of its own a comm has, with one data socket each
 * @param inline the largest message that the control stream carries beside data streams, in bytes
 * @param minTask the fewest bytes of a message that go over one data stream
 * @param spinNanos how long a comm's own threads spin before they sleep, in nanoseconds
 */
public record ProcessorDefaults(int threads, int inline, int minTask, long spinNanos) {
  /**
   * A host with GPUs has 12 to 32 processors for each. A host that runs a rank on each processor
   * has none to spare however many there are, but its ranks use shared memory.
   */
  private static final int PLENTY = 32;

  private static final ProcessorDefaults ALONE = new ProcessorDefaults(0, 64 << 10, 64 << 10, 0);
  private static final ProcessorDefaults SHARED =
      new ProcessorDefaults(0, 64 << 10, 64 << 10, micros(50));
  private static final ProcessorDefaults ROOMY =
      new ProcessorDefaults(2, (32 << 10) - 1, 32 << 10, micros(300));

  /** Returns the defaults for so many processors; with two, a spinning thread stops its peer. */
  public static ProcessorDefaults with(int processors) {
    return processors >= PLENTY ? ROOMY : processors > 2 ? SHARED : ALONE;
  }

  /** Returns the defaults for this process. */
  public static ProcessorDefaults here() {
    return with(Runtime.getRuntime().availableProcessors());
  }

  private static long micros(int micros) {
    return TimeUnit.MICROSECONDS.toNanos(micros);
  }
}
