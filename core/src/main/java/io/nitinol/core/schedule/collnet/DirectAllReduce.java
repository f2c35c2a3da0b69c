// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.collnet;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.Layout;
import io.nitinol.core.schedule.Pipeline;
import io.nitinol.core.schedule.Rounds;
import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.Signal;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;
import io.nitinol.core.schedule.team.TeamShape;

/**
 * The all-reduce over the memory of each host and the network between; mirrors NCCL's
 * CollNetDirect. Each round has as many shares as a host has heads. Members put what they
 * contribute to the shares of others into their slots; a head folds its share for its host, sends
 * it through the network, which reduces it over the hosts, and puts the result into its slot for
 * the others of its host to get.
 *
 * <p>While a round is in the network, the next one is folded and sent and the one after that is
 * put. The order that the ranks are bound to is that of turns, and in a turn that of its stages:
 * what a stage waits for comes earlier in it. Two rounds fit the slots of a connection.
 */
public final class DirectAllReduce implements Schedule {
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

  private final int members;
  private final int index;
  private final int heads;
  private final int network;
  private final boolean leads;
  private final ChunkShape shape;
  private final int slotBytes;
  private final int channel;
  private final int[] peers;
  private final Stage[] stages;
  private final Pipeline pipeline;
  private final Rounds rounds = new Rounds();
  private long align;

  /** Elements of a message and how many a share has at most, the same for all of an operation. */
  private long slice;

  private int slices;
  private long receives;

  /**
   * Creates a schedule without elements.
   *
   * @param layout which ranks live on which host
   * @param team the ranks of this rank's host; slots are of one size on all hosts
   * @param inNetwork what goes through the network
   * @param hosts the sizes of messages between ranks, the same on all ranks
   * @param channel which channel this is, from 0
   */
  public DirectAllReduce(
      Layout layout, TeamShape team, CollNetShape inNetwork, ChunkShape hosts, int channel) {
    if (inNetwork.heads() > layout.smallestHost()) {
      throw new IllegalArgumentException(
          inNetwork.heads() + " heads on hosts of " + layout.smallestHost() + " ranks");
    }
    this.members = team.members();
    this.index = team.index();
    this.heads = inNetwork.heads();
    this.network = layout.ranks();
    this.leads = index < heads;
    this.shape = inNetwork.within(hosts);
    this.slotBytes = team.simple().slotBytes();
    this.channel = channel;
    this.peers = leads ? new int[] {network} : NOBODY;
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
    align = ChunkShape.ALIGNMENT / elementBytes;
    long least = Math.ceilDiv(shape.minChannelBytes(), elementBytes);
    rounds.share(count, align, least, channel, channels);
    long inMessage = shape.slotBytes() / elementBytes;
    long inSlot = slotBytes / elementBytes / heads / align * align;
    rounds.cut(Math.min(inSlot, shape.slices() * inMessage) * heads, align * heads);
    long minSlice = Rounds.alignUp(Math.ceilDiv(shape.minSliceBytes(), elementBytes), align);
    long share = shareSize(rounds.size());
    long wanted = Rounds.alignUp(Math.ceilDiv(share, shape.slices()), align);
    slice = Math.min(inMessage, Math.max(minSlice, wanted));
    slices = (int) Math.ceilDiv(share, slice);
    receives = 0;
    long last = rounds.rounds() - 1;
    if (leads && last >= 0) {
      receives =
          last * Math.ceilDiv(count(0, index), slice) + Math.ceilDiv(count(last, index), slice);
    }
    for (int s = 0; s < stages.length; s++) {
      pipeline.setSteps(s, stepsOf(stages[s]));
    }
    pipeline.plan(rounds.rounds());
  }

  private int stepsOf(Stage stage) {
    boolean alone = members == 1;
    return switch (stage) {
      case PUT -> alone ? 0 : 2;
      case FOLD -> !leads ? 0 : alone ? slices : 2 * slices;
      case RESULT -> !leads ? 0 : alone ? slices : slices + 1;
      case GET -> alone ? 0 : Math.max(1, gets());
    };
  }

  /** Returns how many other members of this host lead a share. */
  private int gets() {
    return leads ? heads - 1 : heads;
  }

  @Override
  public long steps() {
    return pipeline.steps();
  }

  @Override
  public long rounds() {
    return members == 1 ? 0 : rounds.rounds();
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
      case PUT -> put(round, part, into);
      case FOLD -> fold(round, part, into);
      case RESULT -> result(round, part, into);
      case GET -> get(round, part, into);
    }
  }

  /** Puts what lies in front of the share that this rank leads, then what lies behind it. */
  private void put(long round, int part, Step into) {
    long mine = leads ? place(round, index) : 0;
    long from = part == 0 ? 0 : mine + (leads ? count(round, index) : 0);
    long to = part == 0 ? mine : rounds.count(round);
    into.begin(StepKind.PUT, to - from)
        .at(rounds.begin(round) + from)
        .slot(round, from)
        .signals(part == 0 ? Signal.NONE : Signal.POSTED);
  }

  /** Folds a slice of the share for this host and sends it, then the next. */
  private void fold(long round, int part, Step into) {
    long share = count(round, index);
    int number = members == 1 ? part : part / 2;
    long from = Math.min(share, number * slice);
    long count = Math.min(slice, share - from);
    if (members == 1) {
      into.begin(StepKind.SEND, count).to(network);
    } else if (part % 2 == 1) {
      into.begin(StepKind.SEND_RESULT, count).to(network);
    } else {
      boolean waits = number == 0 && share > 0;
      into.begin(StepKind.FOLD, count)
          .slot(round, place(round, index) + from)
          .awaits(waits ? Signal.POSTED : Signal.NONE, Step.ALL);
    }
    into.at(begin(round, index) + from);
  }

  /** Receives the share, reduced over the hosts, and shows it to this host. */
  private void result(long round, int part, Step into) {
    long share = count(round, index);
    if (part < slices) {
      long from = Math.min(share, part * slice);
      into.begin(StepKind.RECV, Math.min(slice, share - from))
          .at(begin(round, index) + from)
          .from(network)
          .last(true);
    } else {
      into.begin(StepKind.PUT_RESULT, share)
          .at(begin(round, index))
          .slot(round, place(round, index))
          .signals(share == 0 ? Signal.NONE : Signal.SHARED);
    }
  }

  /** Gets the share of a head, the next one first, so that not all read from one at once. */
  private void get(long round, int part, Step into) {
    if (part < gets()) {
      int head = (index + part + (leads ? 1 : 0)) % heads;
      long share = count(round, head);
      into.begin(StepKind.GET, share)
          .at(begin(round, head))
          .slot(round, place(round, head))
          .awaits(share == 0 ? Signal.NONE : Signal.SHARED, head);
    } else {
      into.begin(StepKind.NOTHING, 0).slot(round, 0);
    }
    into.signals(part >= gets() - 1 ? Signal.FREED : Signal.NONE);
  }

  private long shareSize(long ofRound) {
    return Rounds.alignUp(Math.ceilDiv(ofRound, heads), align);
  }

  /** Returns the first element of a share. */
  private long begin(long round, int head) {
    return rounds.begin(round) + place(round, head);
  }

  /** Returns where a share begins in its round, and in slots. */
  private long place(long round, int head) {
    long all = rounds.count(round);
    return Math.min(all, head * shareSize(all));
  }

  private long count(long round, int head) {
    long all = rounds.count(round);
    return Math.min(shareSize(all), all - place(round, head));
  }
}
