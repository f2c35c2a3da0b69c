// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.search;

import io.nitinol.core.topology.PathKind;
import java.util.List;

/**
 * What a search has found; mirrors {@code ncclTopoGraph}.
 *
 * @param kind what it is for
 * @param pattern how data goes
 * @param crossNic 0 where a channel comes and goes over one network device; 1 where it need not; 2
 *     where two channels change places, so that each stays on its rail between hosts
 * @param intra the bandwidth of a channel inside a host, in GB/s
 * @param inter that between hosts
 * @param latency of the network devices, in microseconds
 * @param intraKind the longest path between GPUs
 * @param interKind the longest path between a GPU and a network device
 * @param sameChannels whether all channels have one order
 * @param channels the ways; none where there is no such graph
 */
public record ChannelGraph(
    GraphKind kind,
    GraphPattern pattern,
    int crossNic,
    float intra,
    float inter,
    float latency,
    PathKind intraKind,
    PathKind interKind,
    boolean sameChannels,
    List<GraphChannel> channels) {

  /** Copies the list. */
  public ChannelGraph {
    channels = List.copyOf(channels);
  }

  /** Returns the graph of a kind that is not there, as NCCL writes it. */
  public static ChannelGraph none(GraphKind kind) {
    return new ChannelGraph(
        kind, kind.pattern(), 0, 0, 0, 0, PathKind.LOC, PathKind.LOC, false, List.of());
  }

  /** Returns what all channels carry together inside a host, in GB/s. */
  public float bandwidth() {
    return channels.size() * intra;
  }
}
