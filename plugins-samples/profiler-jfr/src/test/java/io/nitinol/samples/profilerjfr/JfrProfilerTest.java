// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.CommConfig;
import io.nitinol.core.CommException;
import io.nitinol.core.Communicator;
import io.nitinol.core.Work;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.profiler.EventType;
import io.nitinol.spi.profiler.ReportType;
import io.nitinol.spi.profiler.v1.EventDescriptor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real ranks over TCP are in a recording, and cost nothing where nobody records. */
class JfrProfilerTest {
  private static final int BYTES = 1 << 20;

  @TempDir Path directory;

  /** An event without a subject of its own. */
  private record Plain(EventType type, long parent, int rank) implements EventDescriptor {}

  /** Makes an all-reduce between two ranks. The environment names the profiler: see the pom. */
  private static void allReduce() {
    List<Communicator> ranks = Communicator.initAll(2, CommConfig.standard().withName("job"));
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
  }

  private List<RecordedEvent> recorded(Recording recording) throws IOException {
    Path file = directory.resolve("job.jfr");
    recording.dump(file);
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().startsWith("io.nitinol."))
        .toList();
  }

  private static List<RecordedEvent> of(List<RecordedEvent> events, String kind, int rank) {
    return events.stream()
        .filter(event -> event.getEventType().getName().equals("io.nitinol." + kind))
        .filter(event -> event.getInt("rank") == rank)
        .toList();
  }

  @Test
  void anAllReduceIsInTheRecordingWithItsCallItsStepsAndEachMessage() throws IOException {
    try (Recording recording = new Recording()) {
      recording.disable("io.nitinol.SlowCall"); // by the pom each call is one
      recording.enable("io.nitinol.Call");
      recording.start();
      allReduce();
      List<RecordedEvent> events = recorded(recording);
      for (int rank = 0; rank < 2; rank++) {
        assertThat(of(events, "Communicator", rank)).hasSize(1);
        assertThat(of(events, "Communicator", rank).getFirst().getInt("ranks")).isEqualTo(2);
        assertThat(of(events, "Collective", rank)).hasSize(1);
        RecordedEvent collective = of(events, "Collective", rank).getFirst();
        assertThat(collective.getString("operation")).isEqualTo("all_reduce");
        assertThat(collective.getString("communicator")).startsWith("job (");
        assertThat(collective.getLong("count")).isEqualTo(BYTES / 4);
        assertThat(collective.getLong("bytes")).isEqualTo(BYTES);
        assertThat(collective.getString("dataType")).isEqualTo("float");
        assertThat(collective.getString("algorithm")).isEqualTo("RING");
        assertThat(collective.getLong("sequence")).isZero();
        assertThat(collective.getDuration()).isPositive();
        assertThat(collective.getBoolean("givenUp")).isFalse();
        assertThat(of(events, "Call", rank)).hasSize(1);
        assertThat(of(events, "Call", rank).getFirst().getLong("number"))
            .isEqualTo(collective.getLong("parent"));
        assertThat(of(events, "ChannelSteps", rank)).isNotEmpty();
        long[] bytes = bytesOfMessages(events, rank, collective.getLong("number"));
        // A ring of two sends each half once to be added and once as a result.
        assertThat(bytes).containsExactly(BYTES, BYTES);
        assertThat(of(events, "ProgressRest", rank)).as("off by default").isEmpty();
      }
    }
  }

  /** Returns how many bytes a rank has received and sent for a collective. */
  private static long[] bytesOfMessages(List<RecordedEvent> events, int rank, long collective) {
    Map<Long, RecordedEvent> connections = new HashMap<>();
    for (RecordedEvent each : of(events, "NetworkOperation", rank)) {
      assertThat(each.getInt("peer")).isEqualTo(1 - rank);
      assertThat(each.getLong("parent")).isEqualTo(collective);
      connections.put(each.getLong("number"), each);
    }
    long[] bytes = new long[2];
    for (RecordedEvent message : of(events, "NetworkMessage", rank)) {
      RecordedEvent connection = connections.get(message.getLong("parent"));
      assertThat(connection).isNotNull();
      bytes[connection.getBoolean("sends") ? 1 : 0] += message.getLong("bytes");
    }
    return bytes;
  }

  @Test
  void whatAFailureEndsIsGivenUp() throws IOException {
    try (Recording recording = new Recording()) {
      recording.disable("io.nitinol.SlowCall");
      recording.start();
      List<Communicator> ranks = Communicator.initAll(2, CommConfig.standard());
      try (Arena arena = Arena.ofShared()) {
        MemorySegment buffer = arena.allocate(BYTES, 64);
        Work alone =
            ranks.get(0).allReduce(buffer, buffer, BYTES / 4, DataType.FLOAT32, ReductionOp.SUM);
        Work receive = ranks.get(0).recv(buffer, 1, DataType.INT8, 1);
        ranks.get(1).abort();
        assertThatThrownBy(alone::await).isInstanceOf(CommException.class);
        assertThatThrownBy(receive::await).isInstanceOf(CommException.class);
      } finally {
        ranks.forEach(Communicator::close);
      }
      List<RecordedEvent> events = recorded(recording);
      for (String kind : List.of("Collective", "PointToPoint")) {
        assertThat(of(events, kind, 0)).hasSize(1);
        assertThat(of(events, kind, 0).getFirst().getBoolean("givenUp")).as(kind).isTrue();
      }
      for (int rank = 0; rank < 2; rank++) {
        assertThat(of(events, "Failure", rank)).as("of rank %d", rank).hasSize(1);
        assertThat(of(events, "Failure", rank).getFirst().getInt("failedRank")).isOne();
        assertThat(of(events, "Failure", rank).getFirst().getString("message")).contains("abort");
      }
    }
  }

  @Test
  void connectionsRegistrationsAndSlowCallsAreInTheRecording() throws IOException {
    try (Recording recording = new Recording()) {
      recording.start();
      allReduce();
      List<RecordedEvent> events = recorded(recording);
      for (int rank = 0; rank < 2; rank++) {
        List<RecordedEvent> connections = of(events, "Connection", rank);
        assertThat(connections)
            .extracting(event -> event.getBoolean("sends"))
            .contains(true, false);
        for (RecordedEvent connection : connections) {
          assertThat(connection.getInt("peer")).isEqualTo(1 - rank);
          assertThat(connection.getString("network")).isEqualTo("Socket");
          assertThat(connection.getString("device")).isEqualTo("lo");
          assertThat(connection.getString("use")).isEqualTo("collective");
          assertThat(connection.getDuration("took")).isPositive();
        }
        List<RecordedEvent> memory = of(events, "Registration", rank);
        assertThat(memory).hasSizeGreaterThanOrEqualTo(connections.size());
        for (RecordedEvent each : memory) {
          assertThat(each.getString("memory")).isEqualTo("HOST");
          assertThat(each.getLong("bytes")).isPositive();
          assertThat(each.getInt("peer")).isEqualTo(1 - rank);
          assertThat(each.getStackTrace()).as("the caller's").isNotNull();
        }
        for (RecordedEvent call : of(events, "SlowCall", rank)) {
          assertThat(call.getStackTrace()).as("of %s", call.getString("call")).isNotNull();
          switch (call.getString("call")) {
            case "connect", "isend" -> assertThat(call.getBoolean("sends")).isTrue();
            case "accept", "irecv" -> assertThat(call.getBoolean("sends")).isFalse();
            default -> {} // of either side
          }
        }
        assertThat(of(events, "SlowCall", rank))
            .extracting(event -> event.getString("call"))
            .contains("connect", "accept", "regMr", "isend", "irecv", "test", "deregMr");
        assertThat(of(events, "Failure", rank)).isEmpty();
      }
      for (String kind : List.of("Connection", "Registration", "SlowCall")) {
        assertThat(of(events, kind, 0).getFirst().getEventType().getLabel())
            .as("what JDK Mission Control shows for %s", kind)
            .doesNotStartWith("io.");
        assertThat(of(events, kind, 0).getFirst().getEventType().getCategoryNames())
            .containsExactly("Nitinol");
      }
    }
  }

  @Test
  void onlyTheKindsThatARecordingWantsAreAskedFor() throws IOException {
    JfrContext context = new JfrContext("", 0);
    assertThat(context.activationMask()).as("without a recording").isZero();
    assertThat(context.reportMask()).as("without a recording").isZero();
    try (Recording recording = new Recording()) {
      recording.disable("io.nitinol.NetworkMessage");
      recording.disable("io.nitinol.ChannelSteps");
      recording.disable("io.nitinol.SlowCall");
      recording.disable("io.nitinol.Registration");
      recording.start();
      assertThat(context.reportMask())
          .isEqualTo(ReportType.CONNECTION.mask() | ReportType.FAILURE.mask());
      assertThat(context.activationMask() & EventType.COLL.mask()).isNotZero();
      assertThat(context.activationMask() & EventType.COLL_API.mask()).isZero();
      assertThat(context.activationMask() & EventType.PROXY_STEP.mask()).isZero();
      allReduce();
      List<RecordedEvent> events = recorded(recording);
      assertThat(of(events, "Collective", 1)).hasSize(1);
      assertThat(of(events, "Collective", 1).getFirst().getLong("parent")).isZero();
      assertThat(of(events, "Call", 1)).as("off by default").isEmpty();
      assertThat(of(events, "NetworkMessage", 1)).isEmpty();
      assertThat(of(events, "ChannelSteps", 1)).isEmpty();
      assertThat(of(events, "Connection", 1)).isNotEmpty();
      assertThat(of(events, "SlowCall", 1)).isEmpty();
      assertThat(of(events, "Registration", 1)).isEmpty();
    }
    assertThat(context.activationMask()).as("after the recording").isZero();
  }

  @Test
  void whatIsNotRecordedForWantOfRoomIsCounted() throws IOException {
    try (Recording recording = new Recording()) {
      recording.enable("io.nitinol.ProgressRest");
      recording.start();
      JfrContext context = new JfrContext("full", 7);
      Plain rest = new Plain(EventType.PROXY_CTRL, 0, 7);
      long first = context.start(rest);
      for (int i = 1; i < 4096; i++) {
        assertThat(context.start(rest)).isPositive();
      }
      assertThat(context.start(rest)).as("one more than there is room for").isZero();
      context.stop(first);
      assertThat(of(recorded(recording), "ProgressRest", 7)).hasSize(1);
      assertThat(of(recorded(recording), "ProgressRest", 7).getFirst().getLong("missed"))
          .isEqualTo(1);
    }
  }
}
