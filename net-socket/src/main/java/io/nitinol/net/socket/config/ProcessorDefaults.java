// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.config;

import java.util.concurrent.TimeUnit;

/**
 * Defaults that depend on the number of processors, and on the program that uses the plugin, for
 * variables that are not set. Under NCCL itself one core's copying bounds the rate of a comm while
 * others are idle: with plenty of processors, threads that help double the rate of large messages.
 * Nitinol's own communicators drive with the thread that waits, and lose by them: with four ranks
 * on 32 processors an all-reduce of 32 KiB took six times as long, one of 2 MiB twice.
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

  /** Set where NCCL has loaded the plugin as a native library, which is before there are comms. */
  private static final String UNDER_NCCL = "nitinol.nccl";

  private static final ProcessorDefaults WITH_ONE_OR_TWO =
      new ProcessorDefaults(0, 64 << 10, 64 << 10, 0);
  private static final ProcessorDefaults WITH_SOME =
      new ProcessorDefaults(0, 64 << 10, 64 << 10, micros(50));
  private static final ProcessorDefaults WITH_ROOM =
      new ProcessorDefaults(2, 256 << 10, 64 << 10, micros(300));
  private static final ProcessorDefaults WITH_PLENTY =
      new ProcessorDefaults(2, (32 << 10) - 1, 32 << 10, micros(300));

  /** Returns the defaults of Nitinol's own communicators, which ask for no helping threads. */
  public static ProcessorDefaults with(int processors) {
    ProcessorDefaults asked = underNccl(processors);
    return new ProcessorDefaults(0, asked.inline(), asked.minTask(), asked.spinNanos());
  }

  /** Returns the defaults under NCCL; with two processors, a spinning thread stops its peer. */
  public static ProcessorDefaults underNccl(int processors) {
    if (processors >= PLENTY) {
      return WITH_PLENTY;
    }
    return processors >= ROOMY ? WITH_ROOM : processors > 2 ? WITH_SOME : WITH_ONE_OR_TWO;
  }

  /** Returns the defaults for this process. */
  public static ProcessorDefaults here() {
    int processors = Runtime.getRuntime().availableProcessors();
    return Boolean.getBoolean(UNDER_NCCL) ? underNccl(processors) : with(processors);
  }

  private static long micros(int micros) {
    return TimeUnit.MICROSECONDS.toNanos(micros);
  }
}
