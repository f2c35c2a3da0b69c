// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.connect.SlotBytes;
import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.HostLayout;
import io.nitinol.core.schedule.ring.Ring;
import io.nitinol.core.schedule.team.TeamShape;
import io.nitinol.core.shm.ShmDirectory;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.tuner.v1.CommShape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where the ranks are, and what follows from that alone.
 *
 * @param layout which rank is on which host
 * @param ring this rank's place in the ring
 * @param crowded whether some host has more threads that want to run than processors
 * @param roomy whether every host has twice as many processors as threads that want to run
 * @param directory where files of shared memory are
 * @param shared how the ranks of each host share memory; null where they do not
 * @param shape how collectives are cut into messages
 */
record RankPlacement(
    HostLayout layout,
    Ring ring,
    boolean crowded,
    boolean roomy,
    ShmDirectory directory,
    @Nullable HostMemory shared,
    ChunkShape shape) {

  /** Lays out the ranks that agreed. */
  static RankPlacement of(int rank, CommAgreement agreed, Settings settings, DebugLogger logger) {
    CommTerms[] all = agreed.all().toArray(CommTerms[]::new);
    HostLayout layout =
        HostLayout.of(Arrays.stream(all).mapToLong(terms -> terms.peer().host()).toArray());
    ShmDirectory directory = ShmDirectory.of(settings, logger);
    HostMemory shared = HostMemory.of(rank, agreed.peers(), layout, settings, directory);
    int mostBytes = CommTerms.mostBytes(all);
    if (shared != null && layout.hosts() == 1) {
      mostBytes = Math.min(SlotBytes.inHost(layout.largestHost()), mostBytes);
    }
    return new RankPlacement(
        layout,
        Ring.of(layout, rank),
        !haveProcessors(layout, all, 1),
        haveProcessors(layout, all, 2),
        directory,
        shared,
        agreed.mine().shape(mostBytes));
  }

  /** Returns whether every host has {@code each} processors for each thread that wants to run. */
  private static boolean haveProcessors(HostLayout layout, CommTerms[] all, int each) {
    for (CommTerms terms : all) {
      int ranks = layout.size(layout.host(terms.peer().rank()));
      if (each * ranks * (1 + terms.facts().kernelThreads()) > terms.facts().processors()) {
        return false;
      }
    }
    return true;
  }

  /** Returns what schedules need to know of the ranks that share memory; null where none do. */
  @Nullable TeamShape team() {
    return shared == null ? null : shared.shape();
  }

  /** Returns whether the ranks of this host read each other's buffers. */
  boolean readsOthers() {
    return shared != null && shared.shape().direct();
  }

  /** Returns whether the ring has a connection over a transport. */
  boolean needsRing() {
    return shared == null || layout.hosts() > 1;
  }

  /** Returns what a tuner learns of the ranks. */
  CommShape forTuner(long number) {
    int fewest = Integer.MAX_VALUE;
    int most = 0;
    for (int host = 0; host < layout.hosts(); host++) {
      fewest = Math.min(fewest, layout.size(host));
      most = Math.max(most, layout.size(host));
    }
    return new CommShape(number, layout.ranks(), layout.hosts(), fewest, most);
  }
}
