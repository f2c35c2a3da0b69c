// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.search;

import io.nitinol.core.topology.NodeFacts;
import io.nitinol.core.topology.TopologyNode;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.List;

/**
 * Joins the orders of hosts to rings and trees of all ranks; mirrors {@code ncclTopoPreset} and
 * {@code ncclTopoPostset}. The last GPU of a host sends to the first one of the next host; trees
 * between hosts are the two of {@link HostTrees}. Each channel of the graph gives two.
 */
public final class HostOrders {
  /**
   * The graphs of a host.
   *
   * @param ring its rings
   * @param tree its trees
   * @param ranks the job's rank for each GPU, by its rank in the topology
   */
  public record Host(ChannelGraph ring, ChannelGraph tree, List<Integer> ranks) {
    /** Copies the list. */
    public Host {
      ranks = List.copyOf(ranks);
    }

    int rank(TopologyNode gpu) {
      return ranks.get(((NodeFacts.Gpu) gpu.facts()).rank());
    }
  }

  /**
   * A rank's place in a tree.
   *
   * @param up the rank that it sends sums to; -1 for the root
   * @param down the ranks that it takes them from
   */
  public record Place(int up, List<Integer> down) {
    /** Copies the list. */
    public Place {
      down = List.copyOf(down);
    }
  }

  private static final int HOPPER = 90;

  private final List<Host> hosts;
  private final int ranks;
  private final int searched;
  private final int channels;

  /**
   * Joins hosts.
   *
   * @param hosts in the order of the rings
   * @param generation the lowest compute capability of a GPU
   * @throws IllegalArgumentException where there is no host, or one without rings and trees
   */
  public HostOrders(List<Host> hosts, int generation) {
    this.hosts = List.copyOf(hosts);
    this.ranks = hosts.stream().mapToInt(host -> host.ranks.size()).sum();
    int least =
        hosts.stream()
            .mapToInt(host -> Math.min(host.ring.channels().size(), host.tree.channels().size()))
            .min()
            .orElse(0);
    if (least == 0) {
      throw new IllegalArgumentException("each host needs rings and trees to be joined");
    }
    this.searched = least;
    int doubled = Math.min(GraphSearch.MOST_CHANNELS, least * 2);
    double slowest = hosts.stream().mapToDouble(host -> host.ring.intra()).min().orElse(0);
    boolean twice = generation >= HOPPER && hosts.size() > 1 && slowest > 45 && doubled < 16;
    this.channels = twice ? doubled * 2 : doubled;
  }

  /** Returns how many channels a communicator has. */
  public int channels() {
    return channels;
  }

  /**
   * Returns the ring of a channel: all ranks, from rank 0 on.
   *
   * @param channel from 0 to {@link #channels} - 1
   */
  public List<Integer> ring(int channel) {
    List<Integer> order = new ArrayList<>(ranks);
    for (int h = 0; h < hosts.size(); h++) {
      Host host = hosts.get(h);
      for (TopologyNode gpu : host.ring.channels().get(searched(channel, h)).gpus()) {
        order.add(host.rank(gpu));
      }
    }
    int first = order.indexOf(0);
    List<Integer> turned = new ArrayList<>(order.subList(first, order.size()));
    turned.addAll(order.subList(0, first));
    return turned;
  }

  /**
   * Returns the channel of a host's graph that a channel of the ring takes. Where two channels
   * cross their network devices, every second host takes them the other way round: so each stays on
   * its rail.
   */
  private int searched(int channel, int host) {
    int base = channel % searched;
    boolean crosses = hosts.get(host).ring.crossNic() == 2 && searched % 2 == 0;
    return crosses && host % 2 == 1 ? base ^ 1 : base;
  }

  /**
   * Returns the network device over which a host sends in a ring, and the one over which the next
   * host receives.
   *
   * @throws IllegalArgumentException where the hosts were searched for as the only one
   */
  public List<TopologyNode> rail(int channel, int host) {
    int next = (host + 1) % hosts.size();
    TopologyNode out = hosts.get(host).ring.channels().get(searched(channel, host)).out();
    TopologyNode in = hosts.get(next).ring.channels().get(searched(channel, next)).in();
    if (out == null || in == null) {
      throw new IllegalArgumentException(
          ErrorText.of("channel %d of host %d uses no network device", channel, host));
    }
    return List.of(out, in);
  }

  /** Returns each rank's place in the tree of a channel. */
  public List<Place> tree(int channel) {
    int base = channel % searched;
    boolean second = channel / searched % 2 == 1;
    int[] up = new int[ranks];
    List<List<Integer>> down = new ArrayList<>();
    for (int i = 0; i < ranks; i++) {
      down.add(new ArrayList<>());
    }
    for (int h = 0; h < hosts.size(); h++) {
      Host host = hosts.get(h);
      List<TopologyNode> gpus = host.tree.channels().get(base).gpus();
      for (int i = 0; i < gpus.size(); i++) {
        up[host.rank(gpus.get(i))] = i == 0 ? -1 : host.rank(gpus.get(i - 1));
        if (i < gpus.size() - 1) {
          down.get(host.rank(gpus.get(i))).add(host.rank(gpus.get(i + 1)));
        }
      }
    }
    for (int h = 0; h < hosts.size(); h++) {
      HostTrees.Place place =
          second ? HostTrees.second(hosts.size(), h) : HostTrees.first(hosts.size(), h);
      if (place.up() >= 0) {
        up[end(h, base, 0)] = end(place.up(), base, place.isSecondChild() ? 2 : 1);
      }
      if (place.first() >= 0) {
        down.get(end(h, base, 1)).add(end(place.first(), base, 0));
      }
      if (place.second() >= 0) {
        down.get(end(h, base, 2)).add(end(place.second(), base, 0));
      }
    }
    List<Place> places = new ArrayList<>();
    for (int i = 0; i < ranks; i++) {
      places.add(new Place(up[i], down.get(i)));
    }
    return places;
  }

  /** Returns the rank of a host that talks to the parent (0), the first or the second child. */
  private int end(int host, int channel, int which) {
    ChannelGraph tree = hosts.get(host).tree;
    List<TopologyNode> gpus = tree.channels().get(channel).gpus();
    int place =
        switch (which) {
          case 0 -> 0;
          case 1 -> tree.pattern() == GraphPattern.TREE ? 0 : 1;
          default -> tree.pattern() == GraphPattern.SPLIT_TREE ? 1 : 0;
        };
    return hosts.get(host).rank(gpus.get(Math.min(place, gpus.size() - 1)));
  }
}
