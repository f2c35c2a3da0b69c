// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilermicrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.profiler.EventType;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The meters of a registry, which all ranks of the process share. Those of operations are made when
 * the first one of its kind begins, and found by an index from then on: the registry's own search
 * would allocate.
 *
 * <p>No tag has the communicator's number, which is random: each run, and each communicator that is
 * split off, would begin time series that no later one goes on with, and a registry keeps them all.
 * Nor has one the rank or the peer, of which a job may have thousands; the process is known by what
 * the registry adds, such as Prometheus' {@code instance}.
 */
final class MeterSet {
  static final String OPERATIONS = "nitinol.operations";
  static final String OPERATION_BYTES = "nitinol.operations.bytes";
  static final String ERRORS = "nitinol.operations.errors";
  static final String ACTIVE = "nitinol.operations.active";
  static final String OLDEST = "nitinol.operations.oldest";
  static final String MISSED = "nitinol.operations.missed";
  static final String MESSAGES = "nitinol.network.messages";
  static final String MESSAGE_BYTES = "nitinol.network.bytes";
  static final String RANKS = "nitinol.ranks";

  /** Where buckets begin; Micrometer's default, a millisecond, is longer than most collectives. */
  private static final Duration SHORTEST = Duration.ofNanos(10_000);

  private static final int TYPES = DataType.values().length;
  private static final int ALGORITHMS = Algorithm.values().length;
  private static final int PROTOCOLS = Protocol.values().length;
  private static final int COMBINATIONS = ALGORITHMS * PROTOCOLS + 1;

  private final MeterRegistry registry;
  private final boolean histogram;
  private final int wanted;
  private final AtomicReferenceArray<@Nullable OperationMeters> operations =
      new AtomicReferenceArray<>(Collective.values().length * TYPES * COMBINATIONS);
  private final MessageMeters sent;
  private final MessageMeters received;
  private final Counter missed;
  private final Set<MicrometerContext> ranks = ConcurrentHashMap.newKeySet();

  /**
   * Makes the meters.
   *
   * @param histogram whether times have buckets
   * @param network whether messages are counted
   */
  MeterSet(MeterRegistry registry, boolean histogram, boolean network) {
    this.registry = registry;
    this.histogram = histogram;
    this.wanted =
        EventType.COLL.mask()
            | EventType.P2P.mask()
            | (network ? EventType.PROXY_OP.mask() | EventType.PROXY_STEP.mask() : 0);
    this.sent = messages("send");
    this.received = messages("receive");
    this.missed =
        Counter.builder(MISSED)
            .description("Operations without a time, since too many were under way")
            .register(registry);
    Gauge.builder(ACTIVE, this, MeterSet::active)
        .description("Operations under way")
        .strongReference(true)
        .register(registry);
    TimeGauge.builder(OLDEST, this, TimeUnit.NANOSECONDS, MeterSet::oldest)
        .description("For how long the oldest operation under way has been so")
        .strongReference(true)
        .register(registry);
    Gauge.builder(RANKS, ranks, Set::size)
        .description("Ranks of this process in open communicators")
        .strongReference(true)
        .register(registry);
  }

  private MessageMeters messages(String direction) {
    return new MessageMeters(
        Counter.builder(MESSAGES)
            .description("Messages over network connections")
            .tag("direction", direction)
            .register(registry),
        Counter.builder(MESSAGE_BYTES)
            .description("Data in messages over network connections")
            .baseUnit("bytes")
            .tag("direction", direction)
            .register(registry));
  }

  /** Returns which events have a meter; none while no registry would keep them. */
  int activationMask() {
    return registry instanceof CompositeMeterRegistry composite
            && composite.getRegistries().isEmpty()
        ? 0
        : wanted;
  }

  OperationMeters collective(
      Collective function, DataType type, Algorithm algorithm, Protocol protocol) {
    int index = index(function, type) + 1 + algorithm.ordinal() * PROTOCOLS + protocol.ordinal();
    OperationMeters known = operations.get(index);
    return known != null
        ? known
        : make(index, function, type, lowerCase(algorithm), lowerCase(protocol));
  }

  OperationMeters pointToPoint(Collective function, DataType type) {
    int index = index(function, type);
    OperationMeters known = operations.get(index);
    return known != null ? known : make(index, function, type, "none", "none");
  }

  private static int index(Collective function, DataType type) {
    return (function.ordinal() * TYPES + type.ordinal()) * COMBINATIONS;
  }

  private static String lowerCase(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private OperationMeters make(
      int index, Collective function, DataType type, String algorithm, String protocol) {
    Tags tags =
        Tags.of(
            "operation",
            function.label(),
            "datatype",
            type.label(),
            "algorithm",
            algorithm,
            "protocol",
            protocol);
    OperationMeters made =
        new OperationMeters(
            Timer.builder(OPERATIONS)
                .description("From the call until this rank has done its part")
                .publishPercentileHistogram(histogram)
                .minimumExpectedValue(SHORTEST)
                .tags(tags)
                .register(registry),
            Counter.builder(OPERATION_BYTES)
                .description("Elements of the calls times their size")
                .baseUnit("bytes")
                .tags(tags)
                .register(registry),
            Counter.builder(ERRORS)
                .description("Operations that were given up: their communicator failed or closed")
                .tags(tags)
                .register(registry));
    operations.set(index, made); // two threads make the same, which the registry has once
    return made;
  }

  MessageMeters sent() {
    return sent;
  }

  MessageMeters received() {
    return received;
  }

  Counter missed() {
    return missed;
  }

  void joins(MicrometerContext rank) {
    ranks.add(rank);
  }

  void leaves(MicrometerContext rank) {
    ranks.remove(rank);
  }

  private double active() {
    int all = 0;
    for (MicrometerContext rank : ranks) {
      all += rank.active();
    }
    return all;
  }

  private double oldest() {
    long now = System.nanoTime();
    long oldest = 0;
    for (MicrometerContext rank : ranks) {
      oldest = Math.max(oldest, rank.oldest(now));
    }
    return oldest;
  }
}
