// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.team;

import java.util.List;

/**
 * What a team is to be; the same at all its members but for the index.
 *
 * @param ranks the members, in the order of the team; the first one creates the memory
 * @param index which of them this rank is
 * @param oneProcess whether all are threads of this process
 * @param areas what is wanted, in an order of the caller's
 */
public record TeamPlan(List<Integer> ranks, int index, boolean oneProcess, List<AreaShape> areas) {
  /** Checks and copies. */
  public TeamPlan {
    ranks = List.copyOf(ranks);
    areas = List.copyOf(areas);
    if (index < 0 || index >= ranks.size()) {
      throw new IllegalArgumentException(
          "member " + index + " of the team of ranks " + ranks + " is none of them");
    }
  }

  TeamLayout layout() {
    return new TeamLayout(ranks.size(), areas);
  }
}
