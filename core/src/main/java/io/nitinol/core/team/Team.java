// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.team;

import io.nitinol.core.shm.SharedRegion;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The areas of a team and the memory they are in, as one member has them. */
public final class Team implements AutoCloseable {
  private final SharedRegion region;
  private final List<TeamArea> areas = new ArrayList<>();
  private final List<Exposures> exposures;
  private final int index;
  private boolean closed;

  Team(SharedRegion region, TeamPlan plan, TeamLayout layout) {
    this.region = region;
    this.exposures = region.attachment() instanceof Shared shared ? shared.areas : List.of();
    this.index = plan.index();
    for (int i = 0; i < plan.areas().size(); i++) {
      Exposures shown = exposures.isEmpty() ? null : exposures.get(i);
      areas.add(new MemoryTeamArea(region.memory(), plan, layout, i, shown));
    }
  }

  /** Returns area number {@code area} of the plan. One thread uses it at a time. */
  public TeamArea area(int area) {
    return areas.get(area);
  }

  /** Returns how many bytes of memory all members have together. */
  public long bytes() {
    return region.memory().byteSize();
  }

  /**
   * Gives this member's view of the memory back; no thread may be using its areas any more, nor be
   * in an operation in which it has exposed buffers. The other members' views stay as they are. May
   * be called again.
   */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      for (Exposures each : exposures) {
        each.clear(index);
      }
      region.close();
    }
  }

  /** What members in one process share beside memory, an entry for each area. */
  static final class Shared {
    final List<Exposures> areas = new ArrayList<>();

    Shared(TeamPlan plan) {
      for (AreaShape area : plan.areas()) {
        areas.add(new Exposures(plan.ranks().size(), area.depth()));
      }
    }

    static @Nullable Shared of(TeamPlan plan) {
      return plan.oneProcess() ? new Shared(plan) : null;
    }
  }
}
