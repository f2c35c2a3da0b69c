// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.search;

import io.nitinol.core.topology.TopologyNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way of one channel through a host.
 *
 * @param gpus in the order of the data; of NVLS the head alone
 * @param in the network device over which data comes; null where the job has one host
 * @param out the one over which it goes; null where the job has one host
 */
public record GraphChannel(
    List<TopologyNode> gpus, @Nullable TopologyNode in, @Nullable TopologyNode out) {

  /** Copies the list. */
  public GraphChannel {
    gpus = List.copyOf(gpus);
  }
}
