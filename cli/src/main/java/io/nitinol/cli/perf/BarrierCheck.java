// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.PerfSession;
import io.nitinol.core.shm.HostName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether a barrier lets a rank go before all ranks have come. Each call has a rank that
 * comes last, so that a rank which does not wait for it is gone by then. Every rank takes the times
 * before and after its call; they compare between ranks whose processes read the same clock, those
 * of one host.
 */
final class BarrierCheck {
  /** Bounds the time of a run; with more ranks several are late in one call. */
  private static final int MOST_CALLS = 32;

  /** A call that waits for nobody takes a small part of it. */
  private static final long LATE_NANOS = 2_000_000;

  private static final Path TIME_NAMESPACE = Path.of("/proc/self/ns/time");

  /** Equal in processes that read the same clock. */
  private static final UUID CLOCK = clock(HostName.boot());

  private final PerfSession session;
  private int runs;

  BarrierCheck(PerfSession session) {
    this.session = session;
  }

  /**
   * Returns a name of the clock that this process reads.
   *
   * @param boot the id of the host's boot; null or empty where it is not known, and then the ranks
   *     of this process compare, and no others
   */
  static UUID clock(@Nullable String boot) {
    if (boot == null || boot.isEmpty()) {
      return UUID.randomUUID();
    }
    try {
      String namespace = Files.readSymbolicLink(TIME_NAMESPACE).toString();
      return UUID.nameUUIDFromBytes((boot + namespace).getBytes(StandardCharsets.UTF_8));
    } catch (IOException _) {
      return UUID.randomUUID(); // as where the boot is not known
    }
  }

  /** Returns how many calls a run has. */
  static int calls(int ranks) {
    return Math.min(ranks, MOST_CALLS);
  }

  /**
   * Returns how late a rank comes. Each rank is late in one call of a run. Of those that are late
   * together one comes last, in each run another one: ranks that wait for one of the others only
   * would not be seen.
   *
   * @param run how many runs there were before
   * @param call of the run, from 0
   * @return 0 for at once, 1 for late, 2 for last
   */
  static int lateness(int rank, int ranks, int run, int call) {
    int calls = calls(ranks);
    if (rank % calls != call) {
      return 0;
    }
    int together = (ranks - call + calls - 1) / calls;
    return rank / calls == run % together ? 2 : 1;
  }

  /**
   * Runs the barrier up to 32 times, with each rank late once. Every rank calls this at the same
   * time.
   *
   * @param barrier runs it to its end
   * @return of how many calls it shows that they began after this rank's had ended
   */
  long run(Runnable barrier) {
    long early = 0;
    for (int call = 0; call < calls(session.size()); call++) {
      early += once(barrier, lateness(session.rank(), session.size(), runs, call) * LATE_NANOS);
    }
    runs++; // in step on all ranks
    return early;
  }

  private long once(Runnable barrier, long lateNanos) {
    session.exchange(new byte[0]);
    long begin = System.nanoTime();
    long came = begin;
    while (came - begin < lateNanos) {
      LockSupport.parkNanos(lateNanos - (came - begin));
      came = System.nanoTime();
    }
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
