// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.connect.SlotBytes;
import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.HostLayout;
import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.collnet.CollNetHeads;
import io.nitinol.core.schedule.collnet.CollNetShape;
import io.nitinol.core.schedule.team.SlotShape;
import io.nitinol.core.schedule.team.TeamShape;
import io.nitinol.core.sim.cluster.SimulatedCluster;
import io.nitinol.core.sim.workload.CollectiveSpec;
import io.nitinol.core.tuning.Choice;
import io.nitinol.core.tuning.Chooser;
import io.nitinol.core.tuning.CostInputs;
import io.nitinol.core.tuning.MachineCosts;
import io.nitinol.core.tuning.MessageShapes;
import io.nitinol.core.tuning.ModelChooser;
import io.nitinol.core.tuning.NetworkCosts;
import io.nitinol.core.tuning.ScheduleBook;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.tuner.Protocol;
import io.nitinol.toolkit.thread.OneThread;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A communicator that plans and moves nothing. It has the layout, the sizes, the chooser and the
 * schedules that a communicator of such ranks would have, with the settings it is given.
 */
@OneThread
public final class VirtualCommunicator {
  /** The most bytes that a collective network takes at once; as the real one. */
  private static final int COLLNET_BYTES = 128 << 10;

  private static final int COLLNET_HEADS = 8;

  /**
   * How ranks and network are, beside the cluster.
   *
   * @param oneProcess whether the ranks of a host are in one process and read each other's buffers
   * @param crowded whether hosts have more ranks than processors
   * @param collNet whether there is a collective network
   * @param machine what processors take
   * @param latencyMicros what a message between hosts takes beside its bytes
   */
  public record Traits(
      boolean oneProcess,
      boolean crowded,
      boolean collNet,
      MachineCosts machine,
      double latencyMicros) {}

  private final SimulatedCluster cluster;
  private final int[] gpus;
  private final HostLayout layout;
  private final int channels;
  private final boolean sharesMemory;
  private final boolean direct;
  private final SlotShape lines;
  private final SlotShape slots;
  private final ChunkShape shape;
  private final @Nullable CollNetShape collNet;
  private final SlotBytes slotBytes;
  private final boolean lends;
  private final Chooser chooser;
  private final ScheduleBook first;

  /**
   * Creates a communicator.
   *
   * @param gpus by rank, its GPU of the cluster
   * @param settings what {@code NCCL_ALGO} and the other variables say
   */
  public VirtualCommunicator(
      SimulatedCluster cluster, int[] gpus, Settings settings, DebugLogger logger, Traits traits) {
    this.cluster = cluster;
    this.gpus = gpus.clone();
    long[] hosts = new long[gpus.length];
    double slowest = Double.MAX_VALUE;
    for (int r = 0; r < gpus.length; r++) {
      int host = cluster.host(gpus[r]);
      hosts[r] = host;
      slowest = Math.min(slowest, cluster.type(host).nicRates().get(cluster.nic(gpus[r])));
    }
    this.layout = HostLayout.of(hosts);
    this.channels =
        MessageShapes.channels(
            settings.get(CoreVariables.MIN_NCHANNELS), settings.get(CoreVariables.MAX_NCHANNELS));
    boolean p2p = !settings.get(CoreVariables.P2P_DISABLE);
    boolean shm = !settings.get(CoreVariables.SHM_DISABLE);
    this.lends = p2p && traits.oneProcess();
    this.sharesMemory = shm || lends || layout.largestHost() == 1;
    this.direct = lends;
    int most = MessageShapes.slotBytes(settings);
    if (sharesMemory && layout.hosts() == 1) {
      most = Math.min(SlotBytes.inHost(layout.largestHost()), most);
    }
    this.shape = MessageShapes.chunks(most);
    this.lines = MessageShapes.lines(layout);
    this.slots = MessageShapes.slots(layout, direct);
    boolean inNetwork = traits.collNet() && layout.hosts() > 1;
    this.collNet =
        inNetwork
            ? new CollNetShape(
                CollNetHeads.first(
                    Math.min(
                        COLLNET_HEADS, Math.min(cluster.type(0).nics(), layout.smallestHost()))),
                Math.min(COLLNET_BYTES, most))
            : null;
    this.slotBytes = SlotBytes.of(shape.slotBytes(), layout.ranks(), layout.largestHost());
    NetworkCosts between = NetworkCosts.of((int) Math.min(Integer.MAX_VALUE, slowest * 8), 0f);
    CollNetShape heads = collNet;
    CostInputs inputs =
        new CostInputs(
            layout,
            traits.machine(),
            shm || lends ? NetworkCosts.SHARED_MEMORY : between,
            between,
            inNetwork ? between : null,
            heads == null ? 1 : heads.heads().count(),
            traits.crowded(),
            layout.hosts() == 1 && direct,
            lines.slotBytes(),
            shape,
            channels);
    this.first = book(0);
    this.chooser = new ModelChooser(inputs, first::offers, settings, logger, null);
  }

  private ScheduleBook book(int rank) {
    return new ScheduleBook(rank, layout, shape, team(rank), collNet, channels);
  }

  private @Nullable TeamShape team(int rank) {
    int host = layout.host(rank);
    return sharesMemory
        ? new TeamShape(layout.size(host), layout.index(rank), lines, slots, direct)
        : null;
  }

  /** Returns how many ranks there are. */
  public int ranks() {
    return gpus.length;
  }

  /** Returns which rank is on which host. */
  public HostLayout layout() {
    return layout;
  }

  /** Returns how many channels there are. */
  public int channels() {
    return channels;
  }

  /** Returns the cluster. */
  public SimulatedCluster cluster() {
    return cluster;
  }

  /** Returns the GPU of a rank. */
  public int gpu(int rank) {
    return gpus[rank];
  }

  /** Returns the heads of each host; there is a collective network. */
  CollNetHeads heads() {
    return Objects.requireNonNull(collNet, "shape of the collective network").heads();
  }

  /** Returns how many rounds of a protocol a team may have under way. */
  int depth(Protocol protocol) {
    return protocol == Protocol.LL ? lines.depth() : slots.depth();
  }

  /** Returns whether two ranks talk by memory, and not by the network. */
  boolean sharesMemory(int a, int b) {
    return sharesMemory && layout.host(a) == layout.host(b);
  }

  /** Returns the most bytes of a message between two ranks that are no schedule's. */
  int pairBytes(int a, int b) {
    if (!sharesMemory(a, b)) {
      return slotBytes.pair();
    }
    return lends ? Math.max(slotBytes.hostPair(), 128 << 10) : slotBytes.hostPair();
  }

  /**
   * Chooses as a communicator would.
   *
   * @param bytes of the larger buffer of a rank
   * @throws io.nitinol.core.CommException where the variables permit nothing
   */
  public Choice choose(Collective collective, long bytes) {
    return chooser.choose(collective, bytes, collNet != null);
  }

  /**
   * Returns the bytes of a round of an all-reduce that goes on round by round, on one channel; 0
   * where it is no such.
   */
  long roundBytes(Choice choice) {
    return switch (choice.algorithm()) {
      case TREE -> shape.slotBytes();
      case HIERARCHY -> slots.slotBytes();
      case RING, DIRECT, DOUBLING, PAIRS, COLLNET_CHAIN, COLLNET_DIRECT -> 0;
    };
  }

  /** Returns whether schedules do a collective, and not sends and receives of pairs. */
  static boolean isScheduled(Collective collective) {
    return switch (collective) {
      case ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER, BROADCAST, REDUCE -> true;
      case SEND_RECV, SEND, RECV, ALL_TO_ALL, GATHER, SCATTER -> false;
    };
  }

  /**
   * Returns the schedules that a rank runs side by side on a channel, planned.
   *
   * @param channel from 0 to {@code choice.channels()} - 1
   */
  Schedule[] schedules(CollectiveSpec spec, Choice choice, int rank, int channel) {
    Schedule[] schedules = book(rank).schedules(spec.collective(), choice, channel);
    for (Schedule each : schedules) {
      each.plan(spec.count(ranks()), CollectiveSpec.ELEMENT_BYTES, spec.root(), choice.channels());
    }
    return schedules;
  }
}
