// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.connect;

import io.nitinol.core.shm.ShmDirectory;
import io.nitinol.core.team.AreaShape;
import io.nitinol.core.team.HostWindows;
import io.nitinol.core.team.TeamPlan;
import io.nitinol.core.transport.PeerInfo;
import io.nitinol.spi.tuner.Protocol;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the ranks of a host share memory, on each channel in the same way; the same on all of them.
 *
 * @param directory where processes meet
 * @param areas what each channel has, one area for each protocol
 * @param windows the buffers of all ranks that all of them see; null where there cannot be any
 */
public record HostTeam(
    ShmDirectory directory, List<AreaShape> areas, @Nullable HostWindows windows) {
  /** Copies the list. */
  public HostTeam {
    areas = List.copyOf(areas);
  }

  /** A team without windows. */
  public HostTeam(ShmDirectory directory, List<AreaShape> areas) {
    this(directory, areas, null);
  }

  /** Returns the place of the area of {@code protocol}. */
  int area(Protocol protocol) {
    for (int i = 0; i < areas.size(); i++) {
      if (areas.get(i).protocol() == protocol) {
        return i;
      }
    }
    throw new IllegalArgumentException("no team has an area for " + protocol);
  }

  /** Returns the plan of {@code rank}, whose team is all ranks of its host. */
  TeamPlan plan(int rank, PeerInfo[] peers) {
    List<Integer> members = new ArrayList<>();
    boolean oneProcess = true;
    for (PeerInfo peer : peers) {
      if (peer.host() == peers[rank].host()) {
        members.add(peer.rank());
        oneProcess &= peer.pid() == peers[rank].pid();
      }
    }
    return new TeamPlan(members, members.indexOf(rank), oneProcess, areas, windows);
  }
}
