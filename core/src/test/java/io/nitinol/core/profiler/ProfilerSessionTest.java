// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.profiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.CommException;
import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.profiler.EventState;
import io.nitinol.spi.profiler.EventType;
import io.nitinol.spi.profiler.ReportType;
import io.nitinol.spi.profiler.v1.EventDescriptor;
import io.nitinol.spi.profiler.v1.Profiler;
import io.nitinol.spi.profiler.v1.ProfilerReport.Failure;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the session of a profiler has timed, and that an end is one for every thread. */
class ProfilerSessionTest {
  private final RecordedLog log = new RecordedLog();

  private ProfilerSession session(Profiler profiler) {
    return Objects.requireNonNull(ProfilerSession.begin(profiler, 7, "job", 1, 2, 0, 1000, log));
  }

  private static RecordingProfiler wanting(EnumSet<ReportType> reports) {
    RecordingProfiler profiler = new RecordingProfiler("ear", EnumSet.noneOf(EventType.class));
    profiler.wantReports(reports);
    return profiler;
  }

  @Test
  void onlySlowCallsHaveEveryCallTimed() {
    ProfilerSession slow = session(wanting(EnumSet.of(ReportType.SLOW_CALL)));
    assertThat(slow.timesCalls()).isTrue();
    assertThat(slow.timesRegistrations()).as("which are calls too").isTrue();
    ProfilerSession memory = session(wanting(EnumSet.of(ReportType.REGISTRATION)));
    assertThat(memory.timesCalls()).isFalse();
    assertThat(memory.timesRegistrations()).isTrue();
    ProfilerSession neither =
        session(wanting(EnumSet.of(ReportType.CONNECTION, ReportType.FAILURE)));
    assertThat(neither.timesCalls() || neither.timesRegistrations()).isFalse();
  }

  @Test
  void theFirstFailureIsReportedAndNoneAfterTheEnd() {
    RecordingProfiler profiler = wanting(EnumSet.allOf(ReportType.class));
    ProfilerSession session = session(profiler);
    session.failed(new CommException(ResultCode.REMOTE_ERROR, 1, "the first", null));
    session.failed(new CommException(ResultCode.TIMEOUT, 0, "the second", null));
    assertThat(profiler.reports(0, Failure.class))
        .extracting(Failure::message)
        .containsExactly("the first");
    ProfilerSession closed = session(profiler);
    closed.close();
    closed.failed(new CommException(ResultCode.REMOTE_ERROR, 1, "too late", null));
    assertThat(profiler.reports()).hasSize(1);
    assertThat(profiler.mistakes()).isEmpty();
  }

  /** Another thread may be asking for the mask when the profiler throws on this one. */
  @Test
  void aProfilerThatIsSwitchedOffWhileItIsAskedStaysOff() {
    SwitchedOff profiler = new SwitchedOff();
    ProfilerSession session = session(profiler);
    assertThat(session.timesCalls()).isTrue();
    profiler.session = session;
    session.mask();
    assertThat(log.warnings()).anyMatch(line -> line.contains("switched off"));
    assertThat(session.timesCalls()).isFalse();
    assertThat(session.wants(ReportType.FAILURE)).isFalse();
  }

  /** Throws while it is asked, and then gives a new answer. */
  private static final class SwitchedOff implements Profiler, Profiler.Context {
    private @Nullable ProfilerSession session;

    @Override
    public String name() {
      return "off";
    }

    @Override
    public Context init(
        long commId,
        @Nullable String commName,
        int nodes,
        int ranks,
        int rank,
        DebugLogger logger) {
      return this;
    }

    @Override
    public int activationMask() {
      return 0;
    }

    @Override
    public int reportMask() {
      ProfilerSession known = session;
      if (known == null) {
        return ReportType.SLOW_CALL.mask();
      }
      known.stop(1); // throws, as it would on another thread
      return ReportType.SLOW_CALL.mask() | ReportType.FAILURE.mask();
    }

    @Override
    public long startEvent(Context context, EventDescriptor descriptor) {
      return 0;
    }

    @Override
    public void stopEvent(Context context, long event) {
      throw new IllegalStateException("a bug in stopEvent");
    }

    @Override
    public void recordEventState(
        Context context,
        long event,
        EventState state,
        long argument,
        @Nullable MemorySegment data) {}

    @Override
    public void finalizeContext(Context context) {}
  }
}
