// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.tuning;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.Copies;
import io.nitinol.core.schedule.HostLayout;
import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.collnet.CollNetChainAllReduce;
import io.nitinol.core.schedule.collnet.CollNetDirectAllReduce;
import io.nitinol.core.schedule.collnet.CollNetShape;
import io.nitinol.core.schedule.doubling.DoublingAllReduce;
import io.nitinol.core.schedule.hierarchy.HierarchyAllReduce;
import io.nitinol.core.schedule.ring.Ring;
import io.nitinol.core.schedule.ring.RingAllReduce;
import io.nitinol.core.schedule.ring.RingBlocks;
import io.nitinol.core.schedule.ring.RingChain;
import io.nitinol.core.schedule.team.TeamShape;
import io.nitinol.core.schedule.tree.Tree;
import io.nitinol.core.schedule.tree.TreeAllReduce;
import io.nitinol.spi.Collective;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import io.nitinol.toolkit.ErrorText;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All the schedules of one rank of a communicator. A schedule is made when it is first asked for
 * and kept: no two operations of a channel run at once. Each channel belongs to one thread at a
 * time; different ones may be asked at once.
 */
public final class ScheduleBook implements Planner {
  private static final Schedule[] NONE = {};
  private static final int COLLECTIVES = Collective.values().length;
  private static final int ALGORITHMS = Algorithm.values().length;
  private static final int PROTOCOLS = Protocol.values().length;

  private final int rank;
  private final HostLayout layout;
  private final ChunkShape shape;
  private final @Nullable TeamShape team;
  private final @Nullable CollNetShape collNet;

  /** What has been made: by channel, then by collective, algorithm and protocol. */
  private final Schedule[][] @Nullable [] made;

  /** Those that work on buffers that the ranks show: by channel, then by collective. */
  private final @Nullable Schedule[][] shown;

  /**
   * Creates a book without schedules.
   *
   * @param rank this rank
   * @param layout which ranks live on which host
   * @param shape the sizes of messages over connections, the same on all ranks
   * @param team the ranks of this rank's host; null where they share no memory, the same on all
   *     ranks
   * @param collNet how the ranks use a collective network; null where there is none, the same on
   *     all ranks
   * @param channels how many channels there are
   */
  public ScheduleBook(
      int rank,
      HostLayout layout,
      ChunkShape shape,
      @Nullable TeamShape team,
      @Nullable CollNetShape collNet,
      int channels) {
    int host = layout.host(rank);
    if (team != null
        && (team.members() != layout.size(host) || team.index() != layout.index(rank))) {
      throw new IllegalArgumentException(
          team + " of rank " + rank + ", whose host has " + layout.size(host) + " ranks");
    }
    this.rank = rank;
    this.layout = layout;
    this.shape = shape;
    this.team = team;
    this.collNet = collNet;
    this.made = new Schedule[channels][COLLECTIVES * ALGORITHMS * PROTOCOLS][];
    this.shown = new Schedule[channels][COLLECTIVES];
  }

  /** Returns whether a collective is done by schedules, and not by sends and receives of pairs. */
  static boolean isScheduled(Collective collective) {
    return switch (collective) {
      case ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER, BROADCAST, REDUCE -> true;
      case SEND_RECV, SEND, RECV, ALL_TO_ALL, GATHER, SCATTER -> false;
    };
  }

  /**
   * Returns whether there are schedules for a collective done in a certain way, in this layout of
   * ranks; the same on all ranks. A rank that is alone can do what reduces, gathers or broadcasts
   * in any way.
   */
  public boolean offers(Collective collective, Algorithm algorithm, Protocol protocol) {
    if (protocol == Protocol.LL128 || !isScheduled(collective)) {
      return false;
    }
    if (layout.ranks() == 1) {
      return true;
    }
    return switch (algorithm) {
      case RING -> protocol == Protocol.SIMPLE;
      case TREE, DOUBLING -> protocol == Protocol.SIMPLE && collective == Collective.ALL_REDUCE;
      case DIRECT -> team != null && layout.hosts() == 1;
      case HIERARCHY ->
          protocol == Protocol.SIMPLE
              && collective == Collective.ALL_REDUCE
              && team != null
              && layout.hosts() > 1;
      case COLLNET_CHAIN, COLLNET_DIRECT ->
          protocol == Protocol.SIMPLE
              && collective == Collective.ALL_REDUCE
              && collNet != null
              && layout.hosts() > 1
              && (team != null || algorithm == Algorithm.COLLNET_CHAIN);
      case PAIRS -> false;
    };
  }

  /** Returns all ranks in the order of the ring, which is the same on every channel. */
  public int[] ring() {
    return layout.ringOrder();
  }

  /** Returns this rank's place in the tree of a channel: one channel alone has only the first. */
  public Tree tree(int channel) {
    return Tree.of(layout, rank, channel % 2 == 1);
  }

  @Override
  public Schedule[] schedules(Collective collective, Choice choice, int channel) {
    if (channel >= made.length) {
      return NONE;
    }
    int key =
        (collective.ordinal() * ALGORITHMS + choice.algorithm().ordinal()) * PROTOCOLS
            + choice.protocol().ordinal();
    Schedule[] known = made[channel][key];
    if (known == null) {
      known = make(collective, choice, channel);
      made[channel][key] = known;
    }
    return known;
  }

  @Override
  public @Nullable Schedule inPlace(Collective collective, Choice choice, int channel) {
    TeamShape shape = team;
    if (channel >= choice.channels() || shape == null) {
      return null;
    }
    Schedule known = shown[channel][collective.ordinal()];
    if (known == null) {
      known = TeamSchedules.direct(collective, shape, channel);
      shown[channel][collective.ordinal()] = known;
    }
    return known;
  }

  private Schedule[] make(Collective collective, Choice choice, int channel) {
    if (!offers(collective, choice.algorithm(), choice.protocol())) {
      throw new IllegalArgumentException(
          ErrorText.of(
              "there is no %s by %s for %s rank(s) on %s host(s)",
              collective.label(), choice, layout.ranks(), layout.hosts()));
    }
    if (layout.ranks() == 1) {
      boolean reduces = collective != Collective.ALL_GATHER && collective != Collective.BROADCAST;
      return new Schedule[] {new Copies(shape.slotBytes(), reduces, channel)};
    }
    if (choice.algorithm() == Algorithm.TREE) {
      return TreeAllReduce.ways(tree(channel), shape, channel);
    }
    Schedule schedule =
        switch (choice.algorithm()) {
          case RING -> ring(collective, channel);
          case DOUBLING -> new DoublingAllReduce(layout.ranks(), rank, shape, channel);
          case HIERARCHY ->
              new HierarchyAllReduce(layout, rank, Objects.requireNonNull(team), shape, channel);
          case COLLNET_CHAIN ->
              new CollNetChainAllReduce(
                  layout, rank, Objects.requireNonNull(collNet), shape, channel);
          case COLLNET_DIRECT ->
              new CollNetDirectAllReduce(
                  layout,
                  rank,
                  Objects.requireNonNull(team),
                  Objects.requireNonNull(collNet),
                  shape,
                  channel);
          case DIRECT ->
              TeamSchedules.of(
                  collective, choice.protocol(), Objects.requireNonNull(team), channel);
          case PAIRS, TREE ->
              throw new IllegalArgumentException(choice + " has not one schedule for a channel");
        };
    return new Schedule[] {schedule};
  }

  private Schedule ring(Collective collective, int channel) {
    return switch (collective) {
      case ALL_REDUCE -> new RingAllReduce(Ring.of(layout, rank), shape, channel);
      case ALL_GATHER -> new RingBlocks.AllGather(layout, rank, shape, channel);
      case REDUCE_SCATTER -> new RingBlocks.ReduceScatter(layout, rank, shape, channel);
      case BROADCAST -> new RingChain.Broadcast(layout, rank, shape, channel);
      case REDUCE -> new RingChain.Reduce(layout, rank, shape, channel);
      case SEND_RECV, SEND, RECV, ALL_TO_ALL, GATHER, SCATTER ->
          throw new IllegalArgumentException("no ring does " + collective.label());
    };
  }
}
