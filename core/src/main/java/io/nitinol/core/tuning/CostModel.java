// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.tuning;

import io.nitinol.core.schedule.doubling.DoublingAllReduce;
import io.nitinol.spi.Collective;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import java.util.Objects;

/**
 * What an operation is expected to take, in microseconds: a latency for every message or signal
 * that waits for the one before, and a time for every byte that one thread moves, as in NCCL's
 * model ({@code tuning.cc}) but with the costs of processors.
 */
final class CostModel {
  /** The time a rank waits for its turn on a processor that it shares. */
  private static final double TURN_MICROS = 3;

  /**
   * What a byte takes by doubling, whole and halved, beside one in a ring, which receives one slice
   * while it sends another: of 2 and 4 ranks over TCP on 64 processors a ring is faster from 128
   * KiB on, of 16 from 512 KiB, and of 8 about equal at 256 KiB ({@code bench/many-cores} with
   * {@code NCCL_ALGO=ring} and {@code =doubling}).
   */
  private static final double WHOLE = 1.12;

  private static final double HALVED = 1.35;

  /**
   * What a hop of a tree takes in latencies: the thread of an inner node serves three neighbours.
   * Of 16 ranks over TCP, with 8 hops, 8 bytes took 215 us by trees, 32 KiB 252 and 64 KiB 314.
   */
  private static final double TREE_HOP = 2.5;

  private final CostInputs on;
  private final int ranks;
  private final int hosts;
  private final double turn;
  private final double signal;
  private final NetworkCosts link;

  /** What a slot of a rank's shared memory holds. */
  private final int slotBytes;

  CostModel(CostInputs on) {
    this.on = on;
    this.ranks = on.layout().ranks();
    this.hosts = on.layout().hosts();
    this.turn = on.crowded() ? TURN_MICROS : 0;
    this.signal = on.machine().signalMicros() + turn;
    NetworkCosts slowest = hosts > 1 ? on.between() : on.inside();
    this.link = new NetworkCosts(slowest.latencyMicros() + turn, slowest.rate());
    this.slotBytes = MessageShapes.slots(on.layout(), on.direct()).slotBytes();
  }

  /**
   * Returns the cost of an operation that is possible.
   *
   * @param bytes of the larger buffer of a rank
   */
  double micros(Collective collective, Algorithm algorithm, Protocol protocol, long bytes) {
    return switch (algorithm) {
      case DIRECT ->
          protocol == Protocol.LL
              ? lines(collective, bytes)
              : slots(collective, bytes, ranks, on.direct());
      case RING -> ring(collective, bytes);
      case TREE -> TREE_HOP * 2 * depth(ranks) * link.latencyMicros() + 2.2 * bytes / link.rate();
      case DOUBLING -> doubling(bytes);
      case HIERARCHY -> hierarchy(bytes);
      case COLLNET_CHAIN -> collNetChain(bytes);
      case COLLNET_DIRECT -> collNetDirect(bytes);
      case PAIRS -> link.latencyMicros() + bytes / link.rate();
    };
  }

  /**
   * Returns whether it pays to show each other the buffers, which takes a signal, where those may
   * turn out to be ones that all ranks of the host see.
   */
  boolean gainsInPlace(Collective collective, long bytes) {
    return !on.direct()
        && 2 * signal + slots(collective, bytes, ranks, true)
            < slots(collective, bytes, ranks, false);
  }

  /** One exchange of everything; each rank does all the work that is asked of it alone. */
  private double lines(Collective collective, long bytes) {
    double copied = bytes;
    double reduced = 0;
    switch (collective) {
      case ALL_REDUCE, REDUCE -> reduced = (double) bytes * (ranks - 1);
      case REDUCE_SCATTER -> reduced = (double) bytes / ranks * (ranks - 1);
      default -> copied = 2.0 * bytes;
    }
    double rounds = Math.ceilDiv(Math.max(1, bytes), on.lineBytes());
    return signal * rounds + copied / on.machine().copyRate() + reduced / on.machine().reduceRate();
  }

  /** Every rank does its share of the work; signals for contributions, results and the end. */
  private double slots(Collective collective, long bytes, int members, boolean direct) {
    double others = (members - 1.0) / members;
    double copied;
    double reduced = 0;
    switch (collective) {
      case ALL_REDUCE, REDUCE -> {
        copied = direct ? bytes * others : 2 * bytes * others;
        reduced = bytes * others;
      }
      case REDUCE_SCATTER -> {
        copied = direct ? 0 : bytes * others;
        reduced = bytes * others;
      }
      default -> copied = direct ? bytes : bytes * (1 + 1.0 / members);
    }
    return 3 * signal + copied / on.machine().copyRate() + reduced / on.machine().reduceRate();
  }

  private double ring(Collective collective, long bytes) {
    int hops = collective == Collective.ALL_REDUCE ? 2 * (ranks - 1) : ranks - 1;
    double share =
        switch (collective) {
          case ALL_REDUCE -> 2 * (ranks - 1.0) / ranks;
          case ALL_GATHER, REDUCE_SCATTER -> (ranks - 1.0) / ranks;
          default -> 1;
        };
    return hops * link.latencyMicros() + share * bytes / link.rate();
  }

  /** Exchanges of everything, or of halves and back; both times beside what pairs give and get. */
  private double doubling(long bytes) {
    int exchanging = Integer.highestOneBit(ranks);
    int exchanges = Integer.numberOfTrailingZeros(exchanging);
    int most = on.shape().slotBytes();
    double latency = Math.ceilDiv(Math.max(1, bytes), most) * link.latencyMicros();
    double whole = latency + WHOLE * bytes / link.rate();
    double exchanged =
        DoublingAllReduce.isHalved(exchanging, Math.min(bytes, most), on.shape())
            ? 2 * exchanges * latency
                + HALVED * 2 * (exchanging - 1) / exchanging * bytes / link.rate()
            : exchanges * whole;
    return exchanged + (exchanging == ranks ? 0 : 2 * whole);
  }

  private double hierarchy(long bytes) {
    // The leaders of a host share its wire, which counts beside a network that needs less of it.
    boolean together = on.collNet() != null && link.isBoundByWire();
    double share = together ? bytes : (double) bytes / on.layout().smallestHost();
    // A round is what a slot of each channel holds, and its ring ends before that of the next one.
    double rounds = Math.max(1, (double) bytes / on.channels() / slotBytes);
    return slots(Collective.ALL_REDUCE, bytes, on.layout().largestHost(), false)
        + rounds * 2 * (hosts - 1) * link.latencyMicros()
        + 2 * (hosts - 1.0) / hosts * share / link.rate();
  }

  /** Each byte crosses a host's cable once each way, and both ways at once. */
  private double collNetChain(long bytes) {
    NetworkCosts collNet = collNet();
    int hops = on.layout().largestHost() - 1;
    double rate = hops == 0 ? collNet.rate() : Math.min(collNet.rate(), on.inside().rate());
    return 2 * hops * on.inside().latencyMicros()
        + 2 * (collNet.latencyMicros() + turn)
        + bytes / rate;
  }

  private double collNetDirect(long bytes) {
    NetworkCosts collNet = collNet();
    return slots(Collective.ALL_REDUCE, bytes, on.layout().largestHost(), false)
        + 2 * (collNet.latencyMicros() + turn)
        + (double) bytes / on.heads() / collNet.rate();
  }

  private NetworkCosts collNet() {
    return Objects.requireNonNull(on.collNet(), "there is no collective network");
  }

  private static int depth(int n) {
    return 32 - Integer.numberOfLeadingZeros(Math.max(1, n - 1));
  }
}
