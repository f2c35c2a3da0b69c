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
import io.nitinol.core.tuning.MessageShapes;
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
    SlotShape lines = MessageShapes.lines(layout);
    SlotShape slots = MessageShapes.slots(layout, direct);
    List<AreaShape> areas =
        List.of(
            new AreaShape(Protocol.LL, lines.slotBytes(), lines.depth()),
            new AreaShape(Protocol.SIMPLE, slots.slotBytes(), slots.depth()));
    boolean shown = p2p && shm && !direct && layout.hosts() == 1 && layout.ranks() > 1;
    HostWindows windows =
        shown ? new HostWindows(directory, layout.size(host), layout.index(rank)) : null;
    return new HostMemory(
        new HostTeam(directory, areas, windows),
        new TeamShape(layout.size(host), layout.index(rank), lines, slots, direct));
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
