// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim;

import io.nitinol.core.sim.flow.LinkUsage;
import io.nitinol.core.tuning.Choice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came out of a simulation. All times are in picoseconds.
 *
 * @param end when everything is done
 * @param nodes by node, when and how
 * @param transfers how many transfers were simulated; each stands for {@code copies}
 * @param copies how many ranks each simulated rank stands for
 * @param linkBytes by link, how many bytes were given to it, headers included
 * @param usage the links over time, where that was asked for
 */
@SuppressWarnings("ArrayRecordComponent") // a number for each link, compared by no code
public record SimulationResult(
    long end,
    List<NodeResult> nodes,
    long transfers,
    int copies,
    double[] linkBytes,
    @Nullable LinkUsage usage) {

  /**
   * What came out for a node.
   *
   * @param begin when the first rank began
   * @param end when the last rank was done
   * @param choice how the collective was done; null for compute
   * @param transfers how many transfers were simulated
   */
  public record NodeResult(long begin, long end, @Nullable Choice choice, long transfers) {}
}
