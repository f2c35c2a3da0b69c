// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.PerfSession;
import io.nitinol.toolkit.file.KernelFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/**
 * Looks whether a barrier lets a rank go before all ranks have come. Each run has a rank that comes
 * late, so that a rank which does not wait for it is gone by then. Every rank takes the times
 * before and after its call; they compare between ranks whose processes read the same clock, those
 * of one host.
 */
final class BarrierCheck {
  /** With more ranks each run makes as many of them late, and the next run makes others late. */
  private static final int MOST_LATE = 16;

  /** A call that waits for nobody takes a small part of it. */
  private static final long LATE_NANOS = 2_000_000;

  private static final String BOOT = "/proc/sys/kernel/random/boot_id";
  private static final String TIME_NAMESPACE = "/proc/self/ns/time";

  /** Equal in processes that read the same clock. */
  private static final UUID CLOCK = clock();

  private final PerfSession session;
  private int late;

  BarrierCheck(PerfSession session) {
    this.session = session;
  }

  private static UUID clock() {
    try {
      String boot = String.valueOf(KernelFiles.OF_THIS_MACHINE.text(BOOT));
      String namespace =
          Files.readSymbolicLink(KernelFiles.OF_THIS_MACHINE.path(TIME_NAMESPACE)).toString();
      return UUID.nameUUIDFromBytes((boot + namespace).getBytes(StandardCharsets.UTF_8));
    } catch (IOException _) {
      return UUID.randomUUID(); // then the ranks of this process compare, and no others
    }
  }

  /**
   * Runs the barrier, with each rank late in turn. Every rank calls this at the same time.
   *
   * @param barrier runs it to its end
   * @return of how many calls it shows that they began after this rank's had ended
   */
  long run(Runnable barrier) {
    long early = 0;
    for (int i = 0; i < Math.min(session.size(), MOST_LATE); i++) {
      early += once(barrier, session.rank() == late);
      late = (late + 1) % session.size(); // in step on all ranks
    }
    return early;
  }

  private long once(Runnable barrier, boolean comesLate) {
    session.exchange(new byte[0]);
    long begin = System.nanoTime();
    while (comesLate && System.nanoTime() - begin < LATE_NANOS) {
      LockSupport.parkNanos(LATE_NANOS);
    }
    long came = System.nanoTime();
    barrier.run();
    long went = System.nanoTime();
    byte[] mine =
        ByteBuffer.allocate(3 * Long.BYTES)
            .putLong(CLOCK.getMostSignificantBits())
            .putLong(CLOCK.getLeastSignificantBits())
            .putLong(came)
            .array();
    long early = 0;
    for (byte[] each : session.exchange(mine)) {
      ByteBuffer other = ByteBuffer.wrap(each);
      boolean compares = CLOCK.equals(new UUID(other.getLong(), other.getLong()));
      early += compares && other.getLong() - went > 0 ? 1 : 0;
    }
    return early;
  }
}
