// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.team;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a team is to be; the same at all its members but for the index.
 *
 * @param ranks the members, in the order of the team; the first one creates the memory
 * @param index which of them this rank is
 * @param oneProcess whether all are threads of this process
 * @param areas what is wanted, in an order of the caller's
 * @param windows the buffers that members in several processes see; null where there are none
 */
public record TeamPlan(
    List<Integer> ranks,
    int index,
    boolean oneProcess,
    List<AreaShape> areas,
    @Nullable HostWindows windows) {
  /** Checks and copies. */
  public TeamPlan {
    ranks = List.copyOf(ranks);
    areas = List.copyOf(areas);
    if (index < 0 || index >= ranks.size()) {
      throw new IllegalArgumentException(
          "member " + index + " of the team of ranks " + ranks + " is none of them");
    }
  }

  /** A team without windows. */
  public TeamPlan(List<Integer> ranks, int index, boolean oneProcess, List<AreaShape> areas) {
    this(ranks, index, oneProcess, areas, null);
  }

  TeamLayout layout() {
    return new TeamLayout(ranks.size(), areas);
  }
}
