// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilermicrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import com.sun.management.ThreadMXBean;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.nitinol.core.CommConfig;
import io.nitinol.core.CommException;
import io.nitinol.core.Communicator;
import io.nitinol.core.Group;
import io.nitinol.core.Work;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.profiler.EventState;
import io.nitinol.spi.profiler.EventType;
import io.nitinol.spi.profiler.v1.EventDescriptor;
import io.nitinol.spi.profiler.v1.Profiler;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Real ranks over TCP are in meters, which the page lists and which cost no memory. */
class MicrometerProfilerTest {
  private static final int BYTES = 1 << 20;

  /** Makes an all-reduce between two ranks. The environment names the profiler: see the pom. */
  private static void allReduce() {
    withRanks((ranks, buffers) -> {
      List<Work> works = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        works.add(
            ranks
                .get(i)
                .allReduce(
                    buffers.get(i), buffers.get(i), BYTES / 4, DataType.FLOAT32, ReductionOp.SUM));
      }
      works.forEach(Work::await);
    });
  }

  private interface Program {
    void run(List<Communicator> ranks, List<MemorySegment> buffers);
  }

  private static void withRanks(Program program) {
    List<Communicator> ranks = Communicator.initAll(2, CommConfig.standard());
    try (Arena arena = Arena.ofShared()) {
      program.run(ranks, List.of(arena.allocate(BYTES, 64), arena.allocate(BYTES, 64)));
    } finally {
      ranks.forEach(Communicator::close);
    }
  }

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @AfterEach
  void removeRegistry() {
    Metrics.removeRegistry(registry);
    registry.close();
  }

  @Test
  void anAllReduceIsCountedAndTimedWithItsMessages() {
    Metrics.addRegistry(registry);
    allReduce();
    String[] tags = {
      "operation", "all_reduce", "datatype", "float", "algorithm", "ring", "protocol", "simple"
    };
    assertThat(registry.get("nitinol.operations").tags(tags).timer().count()).isEqualTo(2);
    assertThat(
            registry.get("nitinol.operations").tags(tags).timer().totalTime(TimeUnit.NANOSECONDS))
        .isPositive();
    assertThat(registry.get("nitinol.operations.bytes").tags(tags).counter().count())
        .isEqualTo(2 * BYTES);
    assertThat(registry.get("nitinol.operations.errors").tags(tags).counter().count()).isZero();
    for (String direction : List.of("send", "receive")) {
      // A ring of two sends each half once to be added and once as a result.
      assertThat(
              registry.get("nitinol.network.bytes").tag("direction", direction).counter().count())
          .isEqualTo(2 * BYTES);
      assertThat(
              registry
                  .get("nitinol.network.messages")
                  .tag("direction", direction)
                  .counter()
                  .count())
          .isGreaterThanOrEqualTo(4);
    }
    assertThat(gauge("nitinol.operations.active")).isZero();
    assertThat(gauge("nitinol.operations.oldest")).isZero();
    assertThat(gauge("nitinol.ranks")).as("after they closed").isZero();
  }

  private double gauge(String name) {
    return registry.get(name).gauge().value();
  }

  @Test
  void sendsAndReceivesHaveNoAlgorithm() {
    Metrics.addRegistry(registry);
    withRanks((ranks, buffers) -> {
      List<Work> works = new ArrayList<>();
      try (Group group = Group.start()) {
        works.add(ranks.get(0).send(buffers.get(0), 1000, DataType.INT64, 1));
        works.add(ranks.get(1).recv(buffers.get(1), 1000, DataType.INT64, 0));
      }
      works.forEach(Work::await);
    });
    for (String operation : List.of("send", "recv")) {
      assertThat(
              registry
                  .get("nitinol.operations")
                  .tags("operation", operation, "algorithm", "none", "protocol", "none")
                  .timer()
                  .count())
          .isOne();
      assertThat(
              registry
                  .get("nitinol.operations.bytes")
                  .tag("operation", operation)
                  .counter()
                  .count())
          .isEqualTo(8000);
    }
  }

  @Test
  void whatIsUnderWayIsAGaugeAndWhatIsGivenUpIsAnError() {
    Metrics.addRegistry(registry);
    withRanks((ranks, buffers) -> {
      Work alone =
          ranks
              .get(0)
              .allReduce(buffers.get(0), buffers.get(0), BYTES, DataType.INT8, ReductionOp.SUM);
      assertThat(gauge("nitinol.ranks")).isEqualTo(2);
      assertThat(gauge("nitinol.operations.active")).isOne();
      double before = gauge("nitinol.operations.oldest");
      assertThat(alone.await(Duration.ofMillis(20))).isFalse();
      assertThat(gauge("nitinol.operations.oldest")).isGreaterThan(before);
      ranks.get(0).abort();
      assertThatThrownBy(alone::await).isInstanceOf(CommException.class);
    });
    assertThat(gauge("nitinol.operations.active")).isZero();
    assertThat(registry.get("nitinol.operations.errors").tag("datatype", "int8").counter().count())
        .isOne();
    assertThat(registry.get("nitinol.operations").tag("datatype", "int8").timer().count())
        .as("done, with a time")
        .isZero();
  }

  @Test
  void nothingIsAskedForWithoutARegistryOrWithoutItsMeters() {
    CompositeMeterRegistry composite = new CompositeMeterRegistry(); // as the global one is
    MeterSet meters = new MeterSet(composite, false, true);
    assertThat(meters.activationMask()).isZero();
    composite.add(registry);
    assertThat(meters.activationMask())
        .isEqualTo(
            EventType.COLL.mask()
                | EventType.P2P.mask()
                | EventType.PROXY_OP.mask()
                | EventType.PROXY_STEP.mask());
    assertThat(new MeterSet(registry, false, false).activationMask())
        .isEqualTo(EventType.COLL.mask() | EventType.P2P.mask());
  }

  @Test
  void prometheusSeesThemWithBucketsWhereThatIsAskedFor() {
    for (boolean histogram : new boolean[] {false, true}) {
      PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
      MeterSet meters = new MeterSet(prometheus, histogram, true);
      MicrometerContext context = new MicrometerContext(meters);
      context.stop(context.start(new Reduction()));
      String text = prometheus.scrape();
      assertThat(text)
          .containsPattern(
              Pattern.compile(
                  "(?m)^nitinol_operations_seconds_count\\{algorithm=\"ring\",datatype=\"float\","
                      + "operation=\"all_reduce\",protocol=\"simple\"} 1$"))
          .contains("nitinol_operations_bytes_total{", "nitinol_operations_active 0.0")
          .contains("nitinol_network_bytes_total{direction=\"send\"} 0.0");
      assertThat(text.contains("nitinol_operations_seconds_bucket{")).isEqualTo(histogram);
      assertThat(text.contains(",le=\"1.0E-5\"}")).as("a bucket of 10 us").isEqualTo(histogram);
    }
  }

  @Test
  void nothingIsAllocatedPerEventAndAFullTableIsCounted() {
    MeterSet meters = new MeterSet(registry, false, true);
    Profiler profiler = new MicrometerProfiler(() -> meters);
    MicrometerContext context = new MicrometerContext(meters);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Reduction reduction = new Reduction();
    long before = 0;
    for (int i = 0; i < 20_000; i++) {
      if (i == 10_000) {
        before = threads.getCurrentThreadAllocatedBytes();
      }
      long event = profiler.startEvent(context, reduction);
      profiler.recordEventState(context, 1, EventState.PROXY_STEP_SEND_WAIT, i, null);
      profiler.stopEvent(context, event);
    }
    // Micrometer makes a few objects when the interval of its maximum passes.
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(20_000);
    for (int i = 0; i < 4096; i++) {
      assertThat(context.start(reduction)).isPositive();
    }
    assertThat(context.start(reduction)).as("one more than there is room for").isZero();
    assertThat(registry.get("nitinol.operations.missed").counter().count()).isOne();
    assertThat(gauge("nitinol.operations.active")).isEqualTo(4096);
    profiler.finalizeContext(context);
    assertThat(registry.get("nitinol.operations.errors").counter().count()).isEqualTo(4096);
    assertThat(registry.get("nitinol.operations").timer().count()).isEqualTo(20_000);
  }

  /** As receives are that wait for their senders: they have begun together and stay for long. */
  @Test
  void operationsFindRoomBeyondManyThatStayPending() {
    MeterSet meters = new MeterSet(registry, false, true);
    MicrometerContext context = new MicrometerContext(meters);
    Reduction reduction = new Reduction();
    for (int i = 0; i < 1000; i++) {
      assertThat(context.start(reduction)).isPositive();
    }
    for (int i = 0; i < 3 * 4096; i++) {
      context.stop(context.start(reduction));
    }
    assertThat(registry.get("nitinol.operations.missed").counter().count()).isZero();
    assertThat(registry.get("nitinol.operations").timer().count()).isEqualTo(3 * 4096);
    assertThat(gauge("nitinol.operations.active")).isEqualTo(1000);
    context.end();
  }

  @Test
  void theOnlyFreePlaceIsFound() {
    MicrometerContext context = new MicrometerContext(new MeterSet(registry, false, true));
    Reduction reduction = new Reduction();
    List<Long> events = new ArrayList<>();
    for (int i = 0; i < 4096; i++) {
      events.add(context.start(reduction));
    }
    for (int i = 1; i < 4096; i += 63) {
      context.stop(events.get(i));
      assertThat(context.start(reduction)).isEqualTo(events.get(i));
    }
    assertThat(registry.get("nitinol.operations.missed").counter().count()).isZero();
    context.end();
  }

  /** The table of the page names each meter, its kind and its tags, and no others. */
  @Test
  void thePageListsTheMeters() throws IOException {
    MeterRegistry own = new SimpleMeterRegistry();
    MeterSet meters = new MeterSet(own, false, true);
    meters.pointToPoint(Collective.SEND, DataType.INT8);
    Map<String, String> made = new TreeMap<>();
    for (Meter meter : own.getMeters()) {
      String tags =
          meter.getId().getTags().stream()
              .map(tag -> "`" + tag.getKey() + "`")
              .collect(Collectors.joining(", "));
      made.put(
          meter.getId().getName(),
          meter.getId().getType().name().toLowerCase(Locale.ROOT) + " | " + tags);
    }
    Map<String, String> listed = new TreeMap<>();
    Pattern row = Pattern.compile("(?m)^\\| `(nitinol\\.[a-z.]+)` \\| (\\w+ \\| [^|]*?) ?\\| .*$");
    row.matcher(
            Files.readString(Path.of("../../docs/profiling.md"))
                .split("## Metrics", -1)[1]
                .split("\n## ", -1)[0])
        .results()
        .forEach(found -> listed.put(found.group(1), found.group(2)));
    assertThat(listed).isEqualTo(made).contains(entry("nitinol.ranks", "gauge | "));
  }

  /** An all-reduce as the framework describes it. */
  private record Reduction() implements EventDescriptor.Coll {
    @Override
    public EventType type() {
      return EventType.COLL;
    }

    @Override
    public long parent() {
      return 0;
    }

    @Override
    public int rank() {
      return 0;
    }

    @Override
    public long sequence() {
      return 0;
    }

    @Override
    public Collective function() {
      return Collective.ALL_REDUCE;
    }

    @Override
    public long sendAddress() {
      return 0;
    }

    @Override
    public long recvAddress() {
      return 0;
    }

    @Override
    public long count() {
      return 8;
    }

    @Override
    public int root() {
      return 0;
    }

    @Override
    public DataType dataType() {
      return DataType.FLOAT32;
    }

    @Override
    public int channels() {
      return 1;
    }

    @Override
    public Algorithm algorithm() {
      return Algorithm.RING;
    }

    @Override
    public Protocol protocol() {
      return Protocol.SIMPLE;
    }

    @Override
    public long parentGroup() {
      return 0;
    }
  }
}
