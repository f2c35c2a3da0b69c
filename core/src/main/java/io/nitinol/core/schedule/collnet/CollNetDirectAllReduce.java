// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.collnet;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.HostLayout;
import io.nitinol.core.schedule.Pipeline;
import io.nitinol.core.schedule.Rounds;
import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.Signal;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;
import io.nitinol.core.schedule.team.ReductionShares;
import io.nitinol.core.schedule.team.TeamShape;

/**
 * The all-reduce over the memory of each host and the network between; mirrors NCCL's
 * CollNetDirect. Each round has as many shares as a host has heads. Within a host ranks go by
 * {@link ReductionShares}; a head sends its share through the network, which reduces it over the
 * hosts.
 *
 * <p>While a round is in the network, the next one is folded and sent and the one after that is
 * put. The order that the ranks are bound to is that of turns, and in a turn that of its stages:
 * what a stage waits for comes earlier in it. Two rounds fit the slots of a connection.
 */
public final class CollNetDirectAllReduce implements Schedule {
  /** What is done with a round: put, fold and send, receive and show, get. */
  private enum Stage {
    PUT,
    FOLD,
    RESULT,
    GET
  }

  private static final Stage[] OVERLAPPED = {Stage.FOLD, Stage.RESULT, Stage.GET, Stage.PUT};
  private static final Stage[] ONE_BY_ONE = {Stage.PUT, Stage.FOLD, Stage.RESULT, Stage.GET};
  private static final int[] NOBODY = {};

  private final int network;
  private final ChunkShape shape;
  private final int slotBytes;
  private final int channel;
  private final int[] peers;
  private final Stage[] stages;
  private final Pipeline pipeline;
  private final Rounds rounds = new Rounds();
  private final ReductionShares shares;

  /** Elements of a message and how many a share has at most, the same for all of an operation. */
  private long slice;

  private int slices;
  private long receives;

  /**
   * Creates a schedule without elements.
   *
   * @param layout which ranks live on which host
   * @param rank this one
   * @param team the ranks of this rank's host; slots are of one size on all hosts
   * @param inNetwork what goes through the network
   * @param hosts the sizes of messages between ranks, the same on all ranks
   * @param channel which channel this is, from 0
   */
  public CollNetDirectAllReduce(
      HostLayout layout,
      int rank,
      TeamShape team,
      CollNetShape inNetwork,
      ChunkShape hosts,
      int channel) {
    CollNetHeads heads = inNetwork.heads();
    if (heads.count() > layout.smallestHost()) {
      throw new IllegalArgumentException(
          heads.count() + " heads on hosts of " + layout.smallestHost() + " ranks");
    }
    this.network = layout.ranks();
    this.shares = new ReductionShares(team, heads.places(layout.host(rank)), rounds);
    this.shape = inNetwork.within(hosts);
    this.slotBytes = team.simple().slotBytes();
    this.channel = channel;
    this.peers = shares.leads() ? new int[] {network} : NOBODY;
    if (team.simple().depth() > 1) {
      this.stages = OVERLAPPED;
      this.pipeline = new Pipeline(1, 2, 2, 0);
    } else {
      this.stages = ONE_BY_ONE;
      this.pipeline = new Pipeline(0, 0, 0, 0);
    }
  }

  @Override
  public int[] sendPeers() {
    return peers;
  }

  @Override
  public int[] recvPeers() {
    return peers;
  }

  @Override
  public void plan(long count, int elementBytes, int root, int channels) {
    long align = ChunkShape.ALIGNMENT / elementBytes;
    long least = Math.ceilDiv(shape.minChannelBytes(), elementBytes);
    rounds.share(count, align, least, channel, channels);
    long inMessage = shape.slotBytes() / elementBytes;
    shares.cut(slotBytes / elementBytes, shape.slices() * inMessage, align);
    long minSlice = Rounds.alignUp(Math.ceilDiv(shape.minSliceBytes(), elementBytes), align);
    long share = shares.most();
    long wanted = Rounds.alignUp(Math.ceilDiv(share, shape.slices()), align);
    slice = Math.min(inMessage, Math.max(minSlice, wanted));
    slices = (int) Math.ceilDiv(share, slice);
    receives = 0;
    long last = rounds.rounds() - 1;
    if (shares.leads() && last >= 0) {
      receives =
          last * Math.ceilDiv(shares.count(0), slice) + Math.ceilDiv(shares.count(last), slice);
    }
    for (int s = 0; s < stages.length; s++) {
      pipeline.setSteps(s, stepsOf(stages[s]));
    }
    pipeline.plan(rounds.rounds());
  }

  private int stepsOf(Stage stage) {
    boolean alone = shares.isAlone();
    boolean leads = shares.leads();
    return switch (stage) {
      case PUT -> shares.putSteps();
      case FOLD -> !leads ? 0 : alone ? slices : 2 * slices;
      case RESULT -> !leads ? 0 : alone ? slices : slices + 1;
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
    return peer == network ? receives : 0;
  }

  @Override
  public void step(long number, Step into) {
    pipeline.seek(number);
    long round = pipeline.item();
    int part = pipeline.part();
    switch (stages[pipeline.stage()]) {
      case PUT -> shares.put(round, part, into);
      case FOLD -> fold(round, part, into);
      case RESULT -> result(round, part, into);
      case GET -> shares.get(round, part, into);
    }
  }

  /** Folds a slice of the share for this host and sends it, then the next. */
  private void fold(long round, int part, Step into) {
    long share = shares.count(round);
    boolean alone = shares.isAlone();
    int number = alone ? part : part / 2;
    long from = Math.min(share, number * slice);
    long count = Math.min(slice, share - from);
    if (alone || part % 2 == 1) {
      into.begin(alone ? StepKind.SEND : StepKind.SEND_RESULT, count)
          .at(shares.begin(round) + from)
          .to(network);
    } else {
      boolean waits = number == 0 && share > 0;
      shares
          .fold(round, from, from + count, into)
          .awaits(waits ? Signal.POSTED : Signal.NONE, Step.ALL);
    }
  }

  /** Receives the share, reduced over the hosts, and shows it to this host. */
  private void result(long round, int part, Step into) {
    long share = shares.count(round);
    if (part < slices) {
      long from = Math.min(share, part * slice);
      into.begin(StepKind.RECV, Math.min(slice, share - from))
          .at(shares.begin(round) + from)
          .from(network)
          .last(true);
    } else {
      shares.show(round, into);
    }
  }
}
