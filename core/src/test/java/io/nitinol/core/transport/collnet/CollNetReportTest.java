// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.collnet;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.core.profiler.ProfilerSession;
import io.nitinol.core.profiler.RecordingProfiler;
import io.nitinol.core.transport.Slots;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.profiler.EventType;
import io.nitinol.spi.profiler.ReportType;
import io.nitinol.spi.profiler.v1.ProfilerReport.Registration;
import io.nitinol.spi.profiler.v1.ProfilerReport.SlowCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a profiler is told of the calls of a collective network. */
class CollNetReportTest {
  private final RecordedLog log = new RecordedLog();
  private final RecordingProfiler heard =
      new RecordingProfiler("ear", EnumSet.noneOf(EventType.class));

  private CollNet net() {
    return Objects.requireNonNull(ProfilerSession.begin(heard, 7, null, 2, 2, 0, 0, log))
        .timed(new StillCollNet(), 3);
  }

  /** All that a head calls for one message. */
  private static void reduceOnce(CollNet net) {
    ListenComm listener = new ListenComm() {};
    net.connect(new MemorySegment[0], 2, 0, listener);
    net.closeListen(listener);
    try (Arena arena = Arena.ofShared()) {
      CollNetExchange exchange =
          new CollNetExchange(net, StillCollNet.COMM, new Slots(arena, 512), 1);
      exchange.give(400);
      assertThat(exchange.start()).isOne();
      exchange.finish();
      exchange.close();
    }
  }

  @Test
  void theCallsOfACollectiveNetworkAreTimedLikeThoseOfANetwork() {
    heard.wantReports(EnumSet.of(ReportType.SLOW_CALL, ReportType.REGISTRATION));
    reduceOnce(net());
    assertThat(heard.reports(0, SlowCall.class))
        .allMatch(call -> call.peer() == -1 && call.channel() == 3 && call.sends())
        .extracting(SlowCall::call)
        .containsExactly(
            "connect", "closeListen", "regMr", "iallreduce", "test", "deregMr", "closeColl");
    assertThat(heard.reports(0, Registration.class))
        .singleElement()
        .matches(memory -> memory.peer() == -1 && memory.channel() == 3 && memory.bytes() > 400);
    assertThat(heard.mistakes()).isEmpty();
  }

  @Test
  void nothingIsReportedOfACollectiveNetworkThatNobodyWants() {
    heard.wantReports(EnumSet.of(ReportType.CONNECTION, ReportType.FAILURE));
    reduceOnce(net());
    assertThat(heard.reports()).isEmpty();
  }
}
