// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.hierarchy;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.HostLayout;
import io.nitinol.core.schedule.Pipeline;
import io.nitinol.core.schedule.Rounds;
import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.Signal;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.ring.Ring;
import io.nitinol.core.schedule.team.ReductionShares;
import io.nitinol.core.schedule.team.TeamShape;
import org.jspecify.annotations.Nullable;

/**
 * The all-reduce over several hosts of any sizes. Each round has as many shares as the smallest
 * host has ranks, and the members of each host up to that number lead one each. Within a host they
 * use {@link ReductionShares}; a leader reduces its share with the leaders of the same share on the
 * other hosts by {@link HostRing}. So each byte crosses between hosts as few times as if a host
 * were one rank, over as many connections as the smallest host has ranks.
 *
 * <p>While the first messages of a round are on their way, a rank gets the result of the round
 * before and puts the round after. The order that the ranks are bound to is that of turns, and in a
 * turn that of its stages: what a stage waits for comes earlier in it. Between hosts, rounds follow
 * one after the other, as the loops of a ring do.
 */
public final class HierarchyAllReduce implements Schedule {
  /** What is done with a round: put, fold and first messages, the other messages, get. */
  private enum Stage {
    PUT,
    FOLD,
    RING,
    GET
  }

  private static final Stage[] OVERLAPPED = {Stage.RING, Stage.FOLD, Stage.GET, Stage.PUT};
  private static final Stage[] ONE_BY_ONE = {Stage.PUT, Stage.FOLD, Stage.RING, Stage.GET};
  private static final int[] NOBODY = {};

  private final int hosts;
  private final ChunkShape shape;
  private final int slotBytes;
  private final int channel;

  /** The ring of this rank's share; null if it leads none. */
  private final @Nullable HostRing ring;

  private final int[] sendPeers;
  private final int[] recvPeers;
  private final Stage[] stages;
  private final Pipeline pipeline;
  private final Rounds rounds = new Rounds();
  private final ReductionShares shares;
  private long receives;

  /**
   * Creates a schedule without elements.
   *
   * @param layout which ranks live on which host, of two or more hosts
   * @param team the ranks of this rank's host; slots are of one size on all hosts
   * @param shape the sizes of messages, the same on all ranks
   * @param channel which channel this is, from 0
   */
  public HierarchyAllReduce(
      HostLayout layout, int rank, TeamShape team, ChunkShape shape, int channel) {
    if (layout.hosts() < 2) {
      throw new IllegalArgumentException("one host; expected 2 or more");
    }
    this.hosts = layout.hosts();
    this.shares = new ReductionShares(team, layout.smallestHost(), rounds);
    this.shape = shape;
    this.slotBytes = team.simple().slotBytes();
    this.channel = channel;
    if (shares.leads()) {
      int host = layout.host(rank);
      int previous = layout.member((host + hosts - 1) % hosts, team.index());
      int next = layout.member((host + 1) % hosts, team.index());
      HostRing made = new HostRing(new Ring(hosts, host, previous, next), shape, shares.isAlone());
      this.ring = made;
      this.sendPeers = new int[] {made.next()};
      this.recvPeers = new int[] {made.previous()};
    } else {
      this.ring = null;
      this.sendPeers = NOBODY;
      this.recvPeers = NOBODY;
    }
    if (team.simple().depth() > 1) {
      this.stages = OVERLAPPED;
      this.pipeline = new Pipeline(2, 1, 2, 0);
    } else {
      this.stages = ONE_BY_ONE;
      this.pipeline = new Pipeline(0, 0, 0, 0);
    }
  }

  @Override
  public int[] sendPeers() {
    return sendPeers;
  }

  @Override
  public int[] recvPeers() {
    return recvPeers;
  }

  @Override
  public void plan(long count, int elementBytes, int root, int channels) {
    long align = ChunkShape.ALIGNMENT / elementBytes;
    long least = Math.ceilDiv(shape.minChannelBytes(), elementBytes);
    rounds.share(count, align, least, channel, channels);
    long inRing = (long) hosts * shape.slices() * (shape.slotBytes() / elementBytes);
    shares.cut(slotBytes / elementBytes, inRing, align);
    HostRing mine = ring;
    receives = 0;
    if (mine != null) {
      mine.plan(shares.most(), elementBytes);
      long last = rounds.rounds() - 1;
      if (last >= 0) {
        receives = last * mine.receives(shares.count(0)) + mine.receives(shares.count(last));
      }
    }
    for (int s = 0; s < stages.length; s++) {
      pipeline.setSteps(s, stepsOf(stages[s]));
    }
    pipeline.plan(rounds.rounds());
  }

  private int stepsOf(Stage stage) {
    boolean alone = shares.isAlone();
    HostRing mine = ring;
    return switch (stage) {
      case PUT -> shares.putSteps();
      case FOLD -> mine == null ? 0 : mine.slices() + (alone ? 0 : 3);
      case RING -> mine == null ? 0 : mine.laterSteps() + (alone ? 0 : 1);
      case GET -> shares.getSteps();
    };
  }

  @Override
  public long steps() {
    return pipeline.steps();
  }

  @Override
  public long rounds() {
    return shares.isAlone() ? 0 : rounds.rounds();
  }

  @Override
  public long receives(int peer) {
    return ring != null && peer == ring.previous() ? receives : 0;
  }

  @Override
  public void step(long number, Step into) {
    pipeline.seek(number);
    long round = pipeline.item();
    int part = pipeline.part();
    switch (stages[pipeline.stage()]) {
      case PUT -> shares.put(round, part, into);
      case FOLD -> fold(round, part, into);
      case RING -> ring(round, part, into);
      case GET -> shares.get(round, part, into);
    }
  }

  /** Folds the chunk that goes first and sends it, then folds what is left of the share. */
  private void fold(long round, int part, Step into) {
    HostRing mine = leader();
    long share = shares.count(round);
    int number = shares.isAlone() ? part : part - 1;
    if (number >= 0 && number < mine.slices()) {
      mine.first(number, shares.begin(round), share, into);
      return;
    }
    long first = mine.firstBegin(share);
    long behind = mine.firstEnd(share);
    if (part == 0) {
      // Awaits even if that chunk has no elements: what is folded later relies on it.
      shares
          .fold(round, first, behind, into)
          .awaits(share == 0 ? Signal.NONE : Signal.POSTED, Step.ALL);
    } else if (number == mine.slices()) {
      shares.fold(round, 0, first, into);
    } else {
      shares.fold(round, behind, share, into);
    }
  }

  /** Reduces the share with the other hosts, and shows the result to this one. */
  private void ring(long round, int part, Step into) {
    HostRing mine = leader();
    long share = shares.count(round);
    if (part < mine.laterSteps()) {
      mine.later(part, shares.begin(round), share, into);
    } else {
      shares.show(round, into);
    }
  }

  private HostRing leader() {
    HostRing mine = ring;
    if (mine == null) {
      throw new IllegalStateException("this member leads no share");
    }
    return mine;
  }
}
