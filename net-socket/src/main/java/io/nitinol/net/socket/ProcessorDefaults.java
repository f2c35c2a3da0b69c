// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import java.util.concurrent.TimeUnit;

/**
 * What the plugin does where a variable leaves it the choice, by how many processors there are.
 * Where they are plenty, one core's copying bounds what a comm carries, and others are idle:
 * threads of its own more than double it from 1 MiB on. Where they are few, such threads take turns
 * with what they work for.
 *
 * @param threads how many threads of its own a comm has, with a data socket each
 * @param inline the largest message that the control stream carries beside data streams, in bytes
 * @param minTask the least bytes of a message that go over one data stream
 * @param spinNanos how long a comm's own threads look again before they wait
 */
record ProcessorDefaults(int threads, int inline, int minTask, long spinNanos) {
  /**
   * A host with GPUs has 12 to 32 processors for each, while one that runs a rank per processor has
   * none to spare however many there are: its ranks talk over shared memory.
   */
  private static final int PLENTY = 32;

  private static final ProcessorDefaults ALONE = new ProcessorDefaults(0, 64 << 10, 64 << 10, 0);
  private static final ProcessorDefaults SHARED =
      new ProcessorDefaults(0, 64 << 10, 64 << 10, micros(50));
  private static final ProcessorDefaults ROOMY =
      new ProcessorDefaults(2, (32 << 10) - 1, 32 << 10, micros(300));

  /**
   * Returns what is usual with so many processors; a thread that spins on two keeps its peer off.
   */
  static ProcessorDefaults with(int processors) {
    return processors >= PLENTY ? ROOMY : processors > 2 ? SHARED : ALONE;
  }

  /** Returns what is usual in this process. */
  static ProcessorDefaults here() {
    return with(Runtime.getRuntime().availableProcessors());
  }

  private static long micros(int micros) {
    return TimeUnit.MICROSECONDS.toNanos(micros);
  }
}
