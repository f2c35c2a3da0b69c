// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.nitinol.core.CommConfig;
import io.nitinol.core.Communicator;
import io.nitinol.core.Work;
import io.nitinol.spi.DataType;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.profiler.EventState;
import io.nitinol.spi.profiler.EventType;
import io.nitinol.spi.profiler.ReportType;
import io.nitinol.spi.profiler.v1.EventDescriptor;
import io.nitinol.spi.profiler.v1.Profiler;
import io.nitinol.spi.profiler.v1.ProfilerReport;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * The traces of real ranks over TCP are read back; memory is bounded; files are written by rule.
 */
class JsonProfilerTest {
  private static final int BYTES = 1 << 20;

  @TempDir Path directory;

  /** An event without a subject of its own. */
  private record Plain(EventType type, long parent, int rank) implements EventDescriptor {}

  private static JsonNode read(Path file) {
    return new ObjectMapper().readTree(file.toFile());
  }

  /** Makes an all-reduce between two ranks, whose files this returns, by rank. */
  private static List<Path> profile(Path traces) throws IOException {
    try (Stream<Path> old = Files.list(Files.createDirectories(traces))) {
      for (Path file : old.toList()) {
        Files.delete(file);
      }
    }
    // The environment of this process names the profiler and the files: see the pom.
    List<Communicator> ranks =
        Communicator.initAll(2, CommConfig.standard().withName("say \"job\""));
    try (Arena arena = Arena.ofShared()) {
      List<Work> works = new ArrayList<>();
      for (Communicator rank : ranks) {
        MemorySegment buffer = arena.allocate(BYTES, 64);
        works.add(rank.allReduce(buffer, buffer, BYTES / 4, DataType.FLOAT32, ReductionOp.SUM));
      }
      works.forEach(Work::await);
    } finally {
      ranks.forEach(Communicator::close);
    }
    try (Stream<Path> files = Files.list(traces)) {
      return files.sorted().toList();
    }
  }

  @Test
  void theTraceOfAnAllReduceHasItsEventsAndEachMessage() throws IOException {
    List<Path> files = profile(Path.of(System.getenv(JsonVariables.FILE.name())).getParent());
    assertThat(files).hasSize(2);
    for (int rank = 0; rank < 2; rank++) {
      JsonNode trace = read(files.get(rank));
      assertThat(files.get(rank).toString()).matches(".*/trace-[0-9a-f]+-" + rank + "\\.json");
      JsonNode origin = trace.get("otherData");
      assertThat(origin.get("full").asBoolean()).isFalse();
      assertThat(origin.get("rank").asInt()).isEqualTo(rank);
      assertThat(origin.get("ranks").asInt()).isEqualTo(2);
      assertThat(files.get(rank).toString())
          .contains("-" + origin.get("communicator").asString() + "-");
      assertThat(origin.get("clock").asString())
          .startsWith(Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip())
          .contains("time");
      assertThat(origin.get("host").asString())
          .isEqualTo(Files.readString(Path.of("/proc/sys/kernel/hostname")).strip());
      assertThat(origin.get("utc_us").asLong())
          .isBetween(
              System.currentTimeMillis() * 1000 - 60_000_000L, System.currentTimeMillis() * 1000);
      Map<Integer, JsonNode> events = new HashMap<>();
      Map<Integer, String> labels = new HashMap<>();
      for (JsonNode event : trace.get("traceEvents")) {
        assertThat(event.get("pid").asInt()).isEqualTo(rank);
        if (event.get("ph").asString().equals("X")) {
          events.put(event.at("/args/event").asInt(), event);
        } else {
          labels.put(event.get("tid").asInt(), event.at("/args/name").asString());
        }
      }
      assertThat(labels).containsEntry(0, "rank " + rank + " of 2 in say \"job\"");
      JsonNode coll = only(events, "COLL");
      assertThat(coll.get("name").asString()).isEqualTo("all_reduce");
      assertThat(coll.at("/args/sequence").asLong()).isZero();
      assertThat(begin(coll)).isGreaterThanOrEqualTo(origin.get("clock_us").asLong());
      assertThat(coll.at("/args/count").asLong()).isEqualTo(BYTES / 4);
      assertThat(coll.at("/args/datatype").asString()).isEqualTo("FLOAT32");
      assertThat(coll.at("/args/algorithm").asString()).isEqualTo("RING");
      assertThat(coll.at("/args/protocol").asString()).isEqualTo("SIMPLE");
      JsonNode call = events.get(coll.at("/args/parent").asInt());
      assertThat(call.get("cat").asString()).isEqualTo("COLL_API");
      assertThat(events.get(call.at("/args/parent").asInt()).get("cat").asString())
          .isEqualTo("GROUP_API");
      assertThat(of(events, "KERNEL_CH")).isNotEmpty();
      long sent = 0;
      long received = 0;
      for (JsonNode step : of(events, "PROXY_STEP")) {
        JsonNode messages = events.get(step.at("/args/parent").asInt());
        assertThat(messages.get("cat").asString()).isEqualTo("PROXY_OP");
        assertThat(messages.at("/args/peer").asInt()).isEqualTo(1 - rank);
        assertThat(events.get(messages.at("/args/parent").asInt())).isEqualTo(coll);
        assertThat(begin(step)).isBetween(begin(messages), end(messages));
        if (messages.get("name").asString().equals("send")) {
          sent += step.at("/args/bytes").asLong();
        } else {
          received += step.at("/args/bytes").asLong();
        }
      }
      List<JsonNode> connections = of(events, "CONNECTION");
      assertThat(connections).extracting(e -> e.get("name").asString()).contains("send", "receive");
      for (JsonNode connection : connections) {
        assertThat(connection.at("/args/peer").asInt()).isEqualTo(1 - rank);
        assertThat(connection.at("/args/network").asString()).isEqualTo("Socket");
        assertThat(connection.at("/args/use").asString()).isEqualTo("collective");
        assertThat(connection.at("/args/device").asString()).isEqualTo("lo");
        assertThat(end(connection)).isGreaterThan(begin(connection));
      }
      assertThat(of(events, "REGISTRATION")).hasSizeGreaterThanOrEqualTo(connections.size());
      for (JsonNode memory : of(events, "REGISTRATION")) {
        assertThat(memory.at("/args/memory").asString()).isEqualTo("HOST");
        assertThat(memory.at("/args/bytes").asLong()).isPositive();
      }
      assertThat(of(events, "FAILURE")).isEmpty();
      // A ring of two sends each half once to be added and once as a result.
      assertThat(sent).isEqualTo(BYTES);
      assertThat(received).isEqualTo(BYTES);
      noneOverlapOnAThread(events, labels);
    }
  }

  private static List<JsonNode> of(Map<Integer, JsonNode> events, String kind) {
    return events.values().stream().filter(e -> e.get("cat").asString().equals(kind)).toList();
  }

  private static JsonNode only(Map<Integer, JsonNode> events, String kind) {
    assertThat(of(events, kind)).hasSize(1);
    return of(events, kind).getFirst();
  }

  private static double begin(JsonNode event) {
    return event.get("ts").asDouble();
  }

  private static double end(JsonNode event) {
    return begin(event) + event.get("dur").asDouble();
  }

  private static void noneOverlapOnAThread(
      Map<Integer, JsonNode> events, Map<Integer, String> labels) {
    for (JsonNode one : events.values()) {
      assertThat(labels.get(one.get("tid").asInt())).isEqualTo(one.get("cat").asString());
      for (JsonNode other : events.values()) {
        if (!one.equals(other) && one.get("tid").equals(other.get("tid"))) {
          // A nanosecond is what the sum of two decimal fractions may lack.
          assertThat(end(one) <= begin(other) + 0.001 || end(other) <= begin(one) + 0.001)
              .as("%s and %s", one, other)
              .isTrue();
        }
      }
    }
  }

  @Test
  void memoryIsBoundedAndNothingIsAllocatedPerEvent() {
    Path file = directory.resolve("bounded.json");
    Profiler profiler = new JsonProfiler();
    JsonTrace trace =
        new JsonTrace(file.toString(), new JsonTraceText(3, "rank", "\"rank\":3"), 20_000);
    Plain group = new Plain(EventType.GROUP, 0, 3);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = 0;
    for (int i = 0; i < 19_999; i++) {
      if (i == 10_000) {
        before = threads.getCurrentThreadAllocatedBytes();
      }
      long event = profiler.startEvent(trace, group);
      profiler.recordEventState(trace, event, EventState.PROXY_STEP_SEND_WAIT, i, null);
      profiler.stopEvent(trace, event);
    }
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1000);
    assertThat(trace.activationMask()).isNotZero();
    assertThat(profiler.startEvent(trace, group)).as("the last, which is not stopped").isPositive();
    assertThat(profiler.startEvent(trace, group)).as("one more than there is room for").isZero();
    assertThat(trace.activationMask()).as("what is asked for when there is no room").isZero();
    profiler.finalizeContext(trace);
    JsonNode written = read(file);
    assertThat(written.at("/otherData/full").asBoolean()).isTrue();
    assertThat(written.get("traceEvents")).hasSize(19_999 + 2); // and two labels
  }

  @Test
  void aSlowCallAndTheFailureAreInTheTraceEvenIfItIsFull() {
    Path file = directory.resolve("reports.json");
    Profiler profiler = new JsonProfiler();
    JsonTrace trace = new JsonTrace(file.toString(), new JsonTraceText(3, "rank", "\"rank\":3"), 2);
    assertThat(trace.reportMask()).isEqualTo(0xf);
    trace.report(new ProfilerReport.SlowCall("isend", true, 5, 1, 7_000_000, 2_500_000));
    profiler.stopEvent(trace, profiler.startEvent(trace, new Plain(EventType.GROUP, 0, 3)));
    assertThat(trace.reportMask()).as("when it is full").isEqualTo(ReportType.FAILURE.mask());
    trace.report(new ProfilerReport.SlowCall("no room", true, 5, 1, 7_000_000, 2_500_000));
    trace.report(
        new ProfilerReport.Failure(ResultCode.REMOTE_ERROR, 4, "rank 4 \"died\"\n", 9_000_000));
    profiler.finalizeContext(trace);
    Map<String, JsonNode> events = new HashMap<>();
    for (JsonNode event : read(file).get("traceEvents")) {
      if (event.get("ph").asString().equals("X")) {
        events.put(event.get("cat").asString(), event);
      }
    }
    assertThat(events).containsOnlyKeys("SLOW_CALL", "GROUP", "FAILURE");
    JsonNode call = events.get("SLOW_CALL");
    assertThat(call.get("name").asString()).isEqualTo("isend");
    assertThat(begin(call)).isEqualTo(7000);
    assertThat(call.get("dur").asDouble()).isEqualTo(2500);
    assertThat(call.at("/args/peer").asInt()).isEqualTo(5);
    assertThat(call.at("/args/channel").asInt()).isOne();
    assertThat(call.at("/args/direction").asString()).isEqualTo("send");
    JsonNode failure = events.get("FAILURE");
    assertThat(begin(failure)).as("when the rank learnt it").isEqualTo(9000);
    assertThat(failure.get("dur").asDouble()).isZero();
    assertThat(failure.at("/args/result").asString()).isEqualTo("REMOTE_ERROR");
    assertThat(failure.at("/args/failed_rank").asInt()).isEqualTo(4);
    assertThat(failure.at("/args/message").asString()).isEqualTo("rank 4 \"died\"\n");
  }

  @Test
  void whatWasGivenUpSaysSo() {
    Path file = directory.resolve("failed.json");
    Profiler profiler = new JsonProfiler();
    JsonTrace trace =
        new JsonTrace(file.toString(), new JsonTraceText(3, "rank", "\"rank\":3"), 10);
    for (int i = 0; i < 2; i++) {
      long event = profiler.startEvent(trace, new Plain(EventType.GROUP, 0, 3));
      if (i == 1) {
        trace.givenUp(event);
      }
      profiler.stopEvent(trace, event);
    }
    profiler.finalizeContext(trace);
    List<Boolean> givenUp = new ArrayList<>();
    for (JsonNode event : read(file).get("traceEvents")) {
      if (event.get("ph").asString().equals("X")) {
        givenUp.add(event.at("/args/given_up").asBoolean(false));
      }
    }
    assertThat(givenUp).containsExactly(false, true);
  }

  @Test
  void onlyARegularFileIsReplaced() throws IOException {
    Path old = Files.writeString(directory.resolve("old.json"), "old");
    new JsonTrace(old.toString(), new JsonTraceText(0, "rank", "\"rank\":0"), 1).write();
    assertThat(read(old).get("traceEvents")).hasSize(1);
    Path link = Files.createSymbolicLink(directory.resolve("link.json"), Path.of("/dev/null"));
    new JsonTrace(link.toString(), new JsonTraceText(0, "rank", "\"rank\":0"), 1).write();
    assertThat(Files.readSymbolicLink(link)).isEqualTo(Path.of("/dev/null"));
    Files.delete(link);
    assertThatThrownBy(() ->
            new JsonTrace(directory.toString(), new JsonTraceText(0, "rank", "\"rank\":0"), 1))
        .isInstanceOf(NetException.class)
        .hasMessageContaining("the trace " + directory + ", whose name begins with NITINOL_PROF")
        .hasMessageContaining("a directory");
    String absent = directory.resolve("absent/trace.json").toString();
    assertThatThrownBy(() -> new JsonTrace(absent, new JsonTraceText(0, "rank", "\"rank\":0"), 1))
        .hasMessageContaining(absent);
  }

  @Test
  void withoutTheVariableItAsksForNothing() {
    Profiler.Context off = JsonProfiler.begin(Settings.of(Map.of()), 1, null, 1, 0);
    assertThat(off.activationMask()).isZero();
    assertThat(off.reportMask()).isZero();
    new JsonProfiler().finalizeContext(off);
  }
}
