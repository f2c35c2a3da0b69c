// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.connect.HostTeam;
import io.nitinol.core.schedule.HostLayout;
import io.nitinol.core.schedule.team.SlotShape;
import io.nitinol.core.schedule.team.TeamShape;
import io.nitinol.core.shm.ShmDirectory;
import io.nitinol.core.team.AreaShape;
import io.nitinol.core.team.HostWindows;
import io.nitinol.core.transport.PeerInfo;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.tuner.Protocol;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The memory that the ranks of each host share for collectives, computed from what all ranks know.
 *
 * @param team makes the memory
 * @param shape this rank's team, for schedules
 */
record HostMemory(HostTeam team, TeamShape shape) {
  /**
   * What a slot for small messages holds: beyond, doing everything twice costs more than signals.
   */
  private static final int LINE_BYTES = 32 << 10;

  private static final int LINE_DEPTH = 4;

  /** Enough to hide the signals, little enough that all slots of a host stay in its cache. */
  private static final int SLOT_BYTES = 256 << 10;

  private static final int SLOT_DEPTH = 4;

  /** Where buffers are shared the slots carry little. */
  private static final int DIRECT_SLOT_BYTES = 64 << 10;

  /**
   * With more ranks on a host the slots shrink, so that the memory stays what it is: about 10 MB
   * for a channel. Containers often have no more than 64 MB for all.
   */
  private static final int MOST_FULL = 8;

  /**
   * Returns the memory, or null where on some host the variables leave no way to share it.
   *
   * @param peers all ranks
   */
  static @Nullable HostMemory of(
      int rank, PeerInfo[] peers, HostLayout layout, Settings settings, ShmDirectory directory) {
    boolean p2p = !settings.get(CoreVariables.P2P_DISABLE);
    boolean shm = !settings.get(CoreVariables.SHM_DISABLE);
    for (int host = 0; host < layout.hosts(); host++) {
      boolean local = p2p && isOneProcess(peers, layout.members(host));
      if (!shm && !local && layout.size(host) > 1) {
        return null;
      }
    }
    int host = layout.host(rank);
    boolean direct = p2p && isOneProcess(peers, layout.members(host));
    // With several hosts all use slots of one size, since they cut messages alike.
    int most = mostRanks(layout);
    SlotShape lines = new SlotShape(lineBytes(layout), LINE_DEPTH);
    int slotBytes = share(direct && layout.hosts() == 1 ? DIRECT_SLOT_BYTES : SLOT_BYTES, most);
    SlotShape slots = new SlotShape(slotBytes, SLOT_DEPTH);
    List<AreaShape> areas =
        List.of(
            new AreaShape(Protocol.LL, lineBytes(layout), LINE_DEPTH),
            new AreaShape(Protocol.SIMPLE, slotBytes, SLOT_DEPTH));
    boolean shown = p2p && shm && !direct && layout.hosts() == 1 && layout.ranks() > 1;
    HostWindows windows =
        shown ? new HostWindows(directory, layout.size(host), layout.index(rank)) : null;
    return new HostMemory(
        new HostTeam(directory, areas, windows),
        new TeamShape(layout.size(host), layout.index(rank), lines, slots, direct));
  }

  /** Returns how many ranks the host with the most ranks has. */
  static int mostRanks(HostLayout layout) {
    int most = 0;
    for (int host = 0; host < layout.hosts(); host++) {
      most = Math.max(most, layout.size(host));
    }
    return most;
  }

  /** Returns what a slot for small messages holds. */
  static int lineBytes(HostLayout layout) {
    return share(LINE_BYTES, mostRanks(layout));
  }

  /** Returns {@code bytes}, or less where that many ranks would take too much with it. */
  private static int share(int bytes, int ranks) {
    return ranks <= MOST_FULL ? bytes : Integer.highestOneBit(bytes * MOST_FULL / ranks);
  }

  private static boolean isOneProcess(PeerInfo[] peers, int[] members) {
    for (int member : members) {
      if (peers[member].pid() != peers[members[0]].pid()) {
        return false;
      }
    }
    return true;
  }
}
