// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profileropentelemetry;

import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.LongUpDownCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.trace.Tracer;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What an SDK gives, and the names of everything. Metrics have no attribute with the communicator,
 * the rank or the peer, whose values have no bound; spans do.
 */
final class Instruments {
  static final AttributeKey<String> OPERATION = AttributeKey.stringKey("nitinol.operation.name");
  static final AttributeKey<String> DATA_TYPE = AttributeKey.stringKey("nitinol.data_type");
  static final AttributeKey<String> ALGORITHM = AttributeKey.stringKey("nitinol.algorithm");
  static final AttributeKey<String> PROTOCOL = AttributeKey.stringKey("nitinol.protocol");
  static final AttributeKey<Long> COUNT = AttributeKey.longKey("nitinol.operation.count");
  static final AttributeKey<Long> SIZE = AttributeKey.longKey("nitinol.operation.size");
  static final AttributeKey<Long> SEQUENCE = AttributeKey.longKey("nitinol.operation.sequence");
  static final AttributeKey<Long> ROOT = AttributeKey.longKey("nitinol.operation.root");
  static final AttributeKey<Long> CHANNELS = AttributeKey.longKey("nitinol.channels");
  static final AttributeKey<Long> PEER = AttributeKey.longKey("nitinol.peer");
  static final AttributeKey<Long> RANK = AttributeKey.longKey("nitinol.rank");
  static final AttributeKey<Long> RANKS = AttributeKey.longKey("nitinol.ranks");
  static final AttributeKey<String> COMMUNICATOR = AttributeKey.stringKey("nitinol.communicator");

  // OpenTelemetry's conventions.
  static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");
  private static final AttributeKey<String> DIRECTION =
      AttributeKey.stringKey("network.io.direction");

  /** The only {@link #ERROR_TYPE}: the communicator failed, or closed before it was done. */
  static final String GIVEN_UP = "given_up";

  /** In seconds; those that SDKs have begin where most collectives are done. */
  private static final List<Double> BOUNDARIES =
      List.of(
          0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
          0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0);

  private static final int TYPES = DataType.values().length;
  private static final int PROTOCOLS = Protocol.values().length;
  private static final int COMBINATIONS = Algorithm.values().length * PROTOCOLS + 1;

  private final AtomicReferenceArray<@Nullable OperationAttributes> operations =
      new AtomicReferenceArray<>(Collective.values().length * TYPES * COMBINATIONS);
  private final Attributes sent = Attributes.of(DIRECTION, "transmit");
  private final Attributes received = Attributes.of(DIRECTION, "receive");
  private final LongCounter messages;
  private final LongCounter messageBytes;

  final Tracer tracer;
  final DoubleHistogram duration;
  final LongCounter bytes;
  final LongUpDownCounter active;
  final LongCounter missed;

  Instruments(OpenTelemetry telemetry) {
    tracer = telemetry.getTracer("io.nitinol");
    Meter meter = telemetry.getMeter("io.nitinol");
    duration =
        meter
            .histogramBuilder("nitinol.operation.duration")
            .setDescription("From the call until this rank has done its part")
            .setUnit("s")
            .setExplicitBucketBoundariesAdvice(BOUNDARIES)
            .build();
    bytes =
        meter
            .counterBuilder("nitinol.operation.io")
            .setDescription("Elements of the calls times their size")
            .setUnit("By")
            .build();
    active =
        meter
            .upDownCounterBuilder("nitinol.operation.active")
            .setDescription("Operations under way")
            .setUnit("{operation}")
            .build();
    missed =
        meter
            .counterBuilder("nitinol.operation.missed")
            .setDescription("Operations without a span or a time, since too many were under way")
            .setUnit("{operation}")
            .build();
    messages =
        meter
            .counterBuilder("nitinol.network.message.count")
            .setDescription("Messages over network connections")
            .setUnit("{message}")
            .build();
    messageBytes =
        meter
            .counterBuilder("nitinol.network.io")
            .setDescription("Data in messages over network connections")
            .setUnit("By")
            .build();
  }

  OperationAttributes collective(
      Collective function, DataType type, Algorithm algorithm, Protocol protocol) {
    int index = index(function, type) + 1 + algorithm.ordinal() * PROTOCOLS + protocol.ordinal();
    OperationAttributes known = operations.get(index);
    return known != null ? known : make(index, function, type, algorithm, protocol);
  }

  OperationAttributes pointToPoint(Collective function, DataType type) {
    int index = index(function, type);
    OperationAttributes known = operations.get(index);
    return known != null ? known : make(index, function, type, null, null);
  }

  private static int index(Collective function, DataType type) {
    return (function.ordinal() * TYPES + type.ordinal()) * COMBINATIONS;
  }

  private OperationAttributes make(
      int index,
      Collective function,
      DataType type,
      @Nullable Algorithm algorithm,
      @Nullable Protocol protocol) {
    AttributesBuilder builder =
        Attributes.builder().put(OPERATION, function.label()).put(DATA_TYPE, type.label());
    if (algorithm != null && protocol != null) {
      builder
          .put(ALGORITHM, algorithm.name().toLowerCase(Locale.ROOT))
          .put(PROTOCOL, protocol.name().toLowerCase(Locale.ROOT));
    }
    Attributes done = builder.build();
    OperationAttributes made =
        new OperationAttributes(
            function.label(), done, done.toBuilder().put(ERROR_TYPE, GIVEN_UP).build());
    operations.set(index, made);
    return made;
  }

  /** Counts a message. */
  void message(boolean isSent, long size) {
    Attributes direction = isSent ? sent : received;
    messages.add(1, direction);
    messageBytes.add(size, direction);
  }
}
