// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profileropentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.nitinol.core.CommConfig;
import io.nitinol.core.CommException;
import io.nitinol.core.Communicator;
import io.nitinol.core.Group;
import io.nitinol.core.Work;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.profiler.EventState;
import io.nitinol.spi.profiler.EventType;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Real ranks over TCP have spans under the application's, and metrics, in a real SDK. */
class OpenTelemetryProfilerTest {
  private static final int BYTES = 1 << 20;
  private static final InMemorySpanExporter SPANS = InMemorySpanExporter.create();
  private static final InMemoryMetricReader METRICS = InMemoryMetricReader.createDelta();
  private static OpenTelemetrySdk sdk;

  @BeforeAll
  static void register() {
    // The profiler asked before, as in an application that registers late, and settled nothing.
    assertThat(new OpenTelemetryProfiler().init(1, null, 1, 1, 0, new Silence()).activationMask())
        .isZero();
    sdk =
        OpenTelemetrySdk.builder()
            .setTracerProvider(
                SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(SPANS))
                    .build())
            .setMeterProvider(SdkMeterProvider.builder().registerMetricReader(METRICS).build())
            .buildAndRegisterGlobal();
  }

  @AfterAll
  static void close() {
    sdk.close();
    GlobalOpenTelemetry.resetForTest();
  }

  @BeforeEach
  void forget() {
    METRICS.collectAllMetrics();
    SPANS.reset();
  }

  private interface Program {
    void run(List<Communicator> ranks, List<MemorySegment> buffers);
  }

  /** Runs on two ranks. The environment names the profiler: see the pom. */
  private static void withRanks(Program program) {
    List<Communicator> ranks = Communicator.initAll(2, CommConfig.standard().withName("job"));
    try (Arena arena = Arena.ofShared()) {
      program.run(ranks, List.of(arena.allocate(BYTES, 64), arena.allocate(BYTES, 64)));
    } finally {
      ranks.forEach(Communicator::close);
    }
  }

  private static void allReduce(List<Communicator> ranks, List<MemorySegment> buffers) {
    List<Work> works = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      MemorySegment buffer = buffers.get(i);
      works.add(
          ranks.get(i).allReduce(buffer, buffer, BYTES / 4, DataType.FLOAT32, ReductionOp.SUM));
    }
    works.forEach(Work::await);
  }

  private static MetricData metric(List<MetricData> from, String name) {
    return from.stream().filter(each -> each.getName().equals(name)).findFirst().orElseThrow();
  }

  private static void inSpan(Runnable body) {
    Span step = sdk.getTracer("application").spanBuilder("training step").startSpan();
    try (Scope scope = step.makeCurrent()) {
      body.run();
    } finally {
      step.end();
    }
  }

  @Test
  void anAllReduceIsAChildOfTheSpanThatIsCurrentWhereItIsCalled() {
    withRanks((ranks, buffers) -> inSpan(() -> allReduce(ranks, buffers)));
    List<SpanData> all = SPANS.getFinishedSpanItems();
    SpanData step = all.stream().filter(s -> s.getName().equals("training step")).toList().get(0);
    List<SpanData> operations = all.stream().filter(s -> s.getName().equals("all_reduce")).toList();
    assertThat(operations).hasSize(2);
    Set<Long> seen = new TreeSet<>();
    for (SpanData operation : operations) {
      assertThat(operation.getParentSpanId()).isEqualTo(step.getSpanId());
      assertThat(operation.getTraceId()).isEqualTo(step.getTraceId());
      assertThat(operation.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
      assertThat(operation.getEndEpochNanos()).isGreaterThan(operation.getStartEpochNanos());
      assertThat(operation.getAttributes().get(Instruments.OPERATION)).isEqualTo("all_reduce");
      assertThat(operation.getAttributes().get(Instruments.DATA_TYPE)).isEqualTo("float");
      assertThat(operation.getAttributes().get(Instruments.ALGORITHM)).isEqualTo("ring");
      assertThat(operation.getAttributes().get(Instruments.PROTOCOL)).isEqualTo("simple");
      assertThat(operation.getAttributes().get(Instruments.COUNT)).isEqualTo(BYTES / 4);
      assertThat(operation.getAttributes().get(Instruments.SIZE)).isEqualTo(BYTES);
      assertThat(operation.getAttributes().get(Instruments.SEQUENCE)).isZero();
      assertThat(operation.getAttributes().get(Instruments.RANKS)).isEqualTo(2);
      assertThat(operation.getAttributes().get(Instruments.COMMUNICATOR)).isEqualTo("job");
      seen.add(operation.getAttributes().get(Instruments.RANK));
    }
    assertThat(seen).containsExactly(0L, 1L);
  }

  @Test
  void theCallsOfAGroupAreChildrenOfWhatIsCurrentAtItsEnd() {
    withRanks((ranks, buffers) ->
        inSpan(() -> {
          List<Work> works = new ArrayList<>();
          try (Group group = Group.start()) {
            works.add(ranks.get(0).send(buffers.get(0), 1000, DataType.INT64, 1));
            works.add(ranks.get(1).recv(buffers.get(1), 1000, DataType.INT64, 0));
          }
          works.forEach(Work::await);
        }));
    List<SpanData> spans = SPANS.getFinishedSpanItems();
    SpanData send = spans.stream().filter(s -> s.getName().equals("send")).toList().get(0);
    assertThat(send.getParentSpanId()).isNotEqualTo("0000000000000000");
    assertThat(send.getAttributes().get(Instruments.PEER)).isEqualTo(1);
    assertThat(send.getAttributes().get(Instruments.SIZE)).isEqualTo(8000);
    assertThat(send.getAttributes().get(Instruments.ALGORITHM)).isNull();
    assertThat(spans).extracting(SpanData::getName).contains("recv");
  }

  @Test
  void withoutASpanThereAreMetricsOnly() {
    withRanks(OpenTelemetryProfilerTest::allReduce);
    assertThat(SPANS.getFinishedSpanItems()).isEmpty();
    List<MetricData> metrics = List.copyOf(METRICS.collectAllMetrics());
    HistogramPointData times =
        metric(metrics, "nitinol.operation.duration")
            .getHistogramData()
            .getPoints()
            .iterator()
            .next();
    assertThat(times.getCount()).isEqualTo(2);
    assertThat(times.getSum()).isPositive().isLessThan(60);
    assertThat(times.getBoundaries()).startsWith(0.00001).endsWith(10.0);
    assertThat(times.getAttributes().get(Instruments.ALGORITHM)).isEqualTo("ring");
    assertThat(times.getAttributes().get(Instruments.ERROR_TYPE)).isNull();
    assertThat(times.getAttributes().size()).isEqualTo(4);
    assertThat(sum(metrics, "nitinol.operation.io")).isEqualTo(2 * BYTES);
    assertThat(sum(metrics, "nitinol.operation.active")).isZero();
    for (String direction : List.of("transmit", "receive")) {
      // A ring of two sends each half once to be added and once as a result.
      assertThat(
              metric(metrics, "nitinol.network.io").getLongSumData().getPoints().stream()
                  .filter(point -> direction.equals(direction(point)))
                  .mapToLong(LongPointData::getValue)
                  .sum())
          .isEqualTo(2 * BYTES);
    }
    assertThat(sum(metrics, "nitinol.network.message.count")).isGreaterThanOrEqualTo(8);
  }

  private static String direction(LongPointData point) {
    return point.getAttributes().get(AttributeKey.stringKey("network.io.direction"));
  }

  private static long sum(List<MetricData> metrics, String name) {
    return metric(metrics, name).getLongSumData().getPoints().stream()
        .mapToLong(LongPointData::getValue)
        .sum();
  }

  @Test
  void whatIsGivenUpIsAnError() {
    withRanks((ranks, buffers) ->
        inSpan(() -> {
          Work alone =
              ranks
                  .get(0)
                  .allReduce(buffers.get(0), buffers.get(0), BYTES, DataType.INT8, ReductionOp.SUM);
          assertThat(alone.await(Duration.ofMillis(20))).isFalse();
          assertThat(sum(List.copyOf(METRICS.collectAllMetrics()), "nitinol.operation.active"))
              .isOne();
          ranks.get(0).abort();
          assertThatThrownBy(alone::await).isInstanceOf(CommException.class);
        }));
    SpanData span =
        SPANS.getFinishedSpanItems().stream()
            .filter(s -> s.getName().equals("all_reduce"))
            .toList()
            .get(0);
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(span.getAttributes().get(Instruments.ERROR_TYPE)).isEqualTo("given_up");
    HistogramPointData times =
        metric(List.copyOf(METRICS.collectAllMetrics()), "nitinol.operation.duration")
            .getHistogramData()
            .getPoints()
            .iterator()
            .next();
    assertThat(times.getAttributes().get(Instruments.ERROR_TYPE)).isEqualTo("given_up");
  }

  private static OpenTelemetryContext context(OpenTelemetry telemetry, String spans) {
    Instruments instruments = new Instruments(telemetry);
    return new OpenTelemetryContext(() -> instruments, spans, true, "job", 2);
  }

  @Test
  void theVariableSaysWhichOperationsHaveASpan() {
    SentData send = new SentData();
    for (String spans : List.of("parent", "all", "none")) {
      SPANS.reset();
      OpenTelemetryContext context = context(sdk, spans);
      context.stop(context.start(send));
      assertThat(SPANS.getFinishedSpanItems()).as(spans).hasSize(spans.equals("all") ? 1 : 0);
      inSpan(() -> context.stop(context.start(send)));
      assertThat(SPANS.getFinishedSpanItems())
          .as(spans)
          .hasSize(1 + (spans.equals("all") ? 2 : spans.equals("parent") ? 1 : 0));
    }
  }

  @Test
  void nothingIsAllocatedPerEventWhereThereIsNoSpan() {
    OpenTelemetryContext context = context(OpenTelemetry.noop(), "parent");
    OpenTelemetryProfiler profiler = new OpenTelemetryProfiler(() -> null);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    SentData send = new SentData();
    long before = 0;
    for (int i = 0; i < 20_000; i++) {
      if (i == 10_000) {
        before = threads.getCurrentThreadAllocatedBytes();
      }
      long event = profiler.startEvent(context, send);
      profiler.recordEventState(context, 1, EventState.PROXY_STEP_SEND_WAIT, i, null);
      profiler.stopEvent(context, event);
    }
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1000);
    for (int i = 0; i < 4096; i++) {
      assertThat(context.start(send)).isPositive();
    }
    assertThat(context.start(send)).as("one more than there is room for").isZero();
    profiler.finalizeContext(context);
    assertThat(context.start(send)).as("after the others were given up").isPositive();
    assertThat(new OpenTelemetryContext(() -> null, "all", true, "job", 2).activationMask())
        .isZero();
    assertThat(context.activationMask() & EventType.KERNEL_CH.mask()).isZero();
    assertThat(context.activationMask() & EventType.PROXY_STEP.mask()).isNotZero();
  }

  /** As receives are that wait for their senders: they have begun together and stay for long. */
  @Test
  void operationsFindRoomBeyondManyThatStayPending() {
    OpenTelemetryContext context = context(sdk, "none");
    SentData send = new SentData();
    for (int i = 0; i < 1000; i++) {
      assertThat(context.start(send)).isPositive();
    }
    for (int i = 0; i < 3 * 4096; i++) {
      long event = context.start(send);
      assertThat(event).as("operation %d beside those", i).isPositive();
      context.stop(event);
    }
    assertThat(METRICS.collectAllMetrics())
        .extracting(MetricData::getName)
        .contains("nitinol.operation.active")
        .doesNotContain("nitinol.operation.missed");
    context.end();
  }

  @Test
  void theOnlyFreePlaceIsFoundAndOperationsWithoutOneAreCounted() {
    OpenTelemetryContext context = context(sdk, "none");
    SentData send = new SentData();
    List<Long> events = new ArrayList<>();
    for (int i = 0; i < 4096; i++) {
      events.add(context.start(send));
    }
    for (int i = 1; i < 4096; i += 63) {
      context.stop(events.get(i));
      assertThat(context.start(send)).isEqualTo(events.get(i));
    }
    for (int i = 0; i < 3; i++) {
      assertThat(context.start(send)).isZero();
    }
    List<MetricData> metrics = List.copyOf(METRICS.collectAllMetrics());
    assertThat(sum(metrics, "nitinol.operation.missed")).isEqualTo(3);
    assertThat(sum(metrics, "nitinol.operation.active")).isEqualTo(4096);
    context.end();
  }

  /** The tables of the page name each metric and each attribute, and no others. */
  @Test
  void thePageListsTheMetricsAndTheAttributes() throws IOException {
    withRanks((ranks, buffers) -> inSpan(() -> allReduce(ranks, buffers)));
    OpenTelemetryContext context = context(sdk, "all");
    context.givenUp(context.start(new SentData()));
    OpenTelemetryContext full = context(sdk, "none");
    for (int i = 0; i <= 4096; i++) {
      full.start(new SentData());
    }
    full.end();
    Set<String> made = new TreeSet<>();
    for (MetricData metric : METRICS.collectAllMetrics()) {
      made.add(metric.getName() + " " + metric.getUnit());
      metric.getData().getPoints().forEach(point -> addKeys(made, point.getAttributes()));
    }
    SPANS.getFinishedSpanItems().forEach(span -> addKeys(made, span.getAttributes()));
    String section =
        Files.readString(Path.of("../../docs/profiling.md"))
            .split("## Spans and metrics", -1)[1]
            .split("\n## ", -1)[0];
    Set<String> listed =
        Pattern.compile("(?m)^\\| `([a-z_]+\\.[a-z._]+)` \\|(?: `([^`]+)` \\|)?")
            .matcher(section)
            .results()
            .map(OpenTelemetryProfilerTest::nameAndUnit)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(listed).isEqualTo(made);
  }

  private static String nameAndUnit(MatchResult row) {
    return row.group(2) == null ? row.group(1) : row.group(1) + " " + row.group(2);
  }

  private static void addKeys(Set<String> to, io.opentelemetry.api.common.Attributes attributes) {
    attributes.forEach((key, value) -> to.add(key.getKey()));
  }
}
