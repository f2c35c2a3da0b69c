// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.profiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.CommException;
import io.nitinol.core.kernel.ThreadAllocation;
import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.core.transport.DelegatingNet;
import io.nitinol.core.transport.MemoryNet;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.profiler.EventState;
import io.nitinol.spi.profiler.EventType;
import io.nitinol.spi.profiler.ReportType;
import io.nitinol.spi.profiler.v1.EventDescriptor;
import io.nitinol.spi.profiler.v1.Profiler;
import io.nitinol.spi.profiler.v1.ProfilerReport.Failure;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the session of a profiler has timed, and that an end is one for every thread. */
class ProfilerSessionTest {
  private static final SendComm SENDS = new SendComm() {};
  private static final RecvComm RECEIVES = new RecvComm() {};
  private static final Request REQUEST = new Request() {};
  private static final MemoryHandle MEMORY = new MemoryHandle() {};
  private static final MemoryHandle[] MEMORIES = {MEMORY};
  private static final long[] NUMBERS = {0};
  private static final int[] TAGS = {0};

  /** Is done with everything at once, and makes nothing for it. */
  private static final class QuickNet extends DelegatingNet {
    QuickNet() {
      super(new MemoryNet(1));
    }

    @Override
    public Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag, long parent) {
      return REQUEST;
    }

    @Override
    public Request irecv(
        RecvComm comm,
        int n,
        MemoryHandle[] mrs,
        long[] offsets,
        long[] lengths,
        int[] tags,
        long @Nullable [] parents,
        int hints) {
      return REQUEST;
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      return true;
    }

    @Override
    public Request iflush(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
      return REQUEST;
    }

    @Override
    public void irecvConsumed(RecvComm comm, int n, Request request) {}
  }

  private final RecordedLog log = new RecordedLog();

  private ProfilerSession session(Profiler profiler) {
    return Objects.requireNonNull(ProfilerSession.begin(profiler, 7, "job", 1, 2, 0, 1000, log));
  }

  private ProfilerSession session(Profiler profiler, long slowNanos, LongSupplier clock) {
    return Objects.requireNonNull(
        ProfilerSession.begin(profiler, 7, "job", 1, 2, 0, slowNanos, log, clock));
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

  /** What a call, its operation and a message do, and the network plugin's calls for them. */
  private static void work(ProfilerSession session, ConnectionEvents sends, Net net, long message) {
    CallEvents call = session.call();
    long api = call.collective(Collective.ALL_REDUCE, 4, DataType.FLOAT32, 0);
    CallEvents current = session.current();
    int mask = current.mask();
    long event =
        current.coll(
            Collective.ALL_REDUCE,
            0,
            0,
            4,
            DataType.FLOAT32,
            0,
            Algorithm.RING,
            Protocol.SIMPLE,
            1);
    call.returns(api);
    call.end();
    long steps = session.channelBegins(mask, event, 0);
    sends.announce(message, event, mask, 1);
    net.isend(SENDS, MEMORY, 0, 16, 0, sends.begins(message, 16));
    sends.moves(message, 16);
    net.irecv(RECEIVES, 1, MEMORIES, NUMBERS, NUMBERS, TAGS, null, 0);
    net.test(REQUEST, null);
    net.iflush(RECEIVES, 1, MEMORIES, NUMBERS, NUMBERS);
    net.irecvConsumed(RECEIVES, 1, REQUEST);
    sends.ends(message);
    session.channelEnds(steps);
    session.stop(event);
    session.wakes(session.sleeps());
  }

  @Test
  void nothingReadsTheClockOrMakesAnythingWhileNothingIsWanted() throws Throwable {
    RecordingProfiler profiler = wanting(EnumSet.noneOf(ReportType.class));
    AtomicLong readings = new AtomicLong();
    ProfilerSession session = session(profiler, 0, readings::incrementAndGet);
    ConnectionEvents sends = session.connection(true, 0, 1, 64, 8);
    Net net = session.timed(new QuickNet(), true, 1, 0);
    work(session, sends, net, 0); // loads classes
    long before = ThreadAllocation.bytes();
    for (int message = 1; message <= 1000; message++) {
      work(session, sends, net, message);
    }
    assertThat(ThreadAllocation.bytes() - before).as("of 1000 operations").isLessThan(1000);
    assertThat(readings).hasValue(0);
    assertThat(session.call()).isSameAs(session.call()).isSameAs(session.current());
    assertThat(profiler.all()).isEmpty();
    // The same, to show that it would have been seen.
    profiler.want(EnumSet.allOf(EventType.class));
    profiler.wantReports(EnumSet.of(ReportType.SLOW_CALL));
    work(session, sends, net, 1001);
    assertThat(readings.get()).as("two for each of five calls and for the channel").isEqualTo(12);
    assertThat(profiler.all(EventType.PROXY_STEP)).hasSize(1);
    assertThat(profiler.reports()).hasSize(5);
    assertThat(profiler.mistakes()).isEmpty();
  }

  @Test
  void callsThatAreTimedMakeNothingUnlessTheyAreSlow() throws Throwable {
    AtomicLong readings = new AtomicLong();
    ProfilerSession session =
        session(wanting(EnumSet.of(ReportType.SLOW_CALL)), 1000, readings::incrementAndGet);
    ConnectionEvents sends = session.connection(true, 0, 1, 64, 8);
    Net net = session.timed(new QuickNet(), true, 1, 0);
    work(session, sends, net, 0);
    long before = ThreadAllocation.bytes();
    for (int message = 1; message <= 1000; message++) {
      work(session, sends, net, message);
    }
    assertThat(ThreadAllocation.bytes() - before).as("of 5000 calls").isLessThan(1000);
    assertThat(readings).as("two for each of five calls").hasValue(10 * 1001);
  }

  /** Operations of which nothing is wanted have messages too, which belong to no event. */
  @Test
  void messagesBelongToTheOperationThatHasAskedForThem() {
    RecordingProfiler profiler = wanting(EnumSet.noneOf(ReportType.class));
    ProfilerSession session = session(profiler);
    ConnectionEvents sends = session.connection(true, 0, 1, 64, 8);
    int all = EventType.PROXY_STEP.mask();
    sends.announce(0, 0, 0, 2); // messages 0 and 1, of nobody
    sends.begins(0, 100);
    sends.announce(2, 0, all, 2);
    sends.begins(1, 100); // still of nobody
    sends.moves(0, 100);
    sends.begins(2, 200);
    sends.begins(2, 200); // again, since the network had no room
    sends.moves(1, 100);
    sends.moves(2, 200);
    sends.begins(3, 300);
    sends.moves(3, 300);
    for (int message = 0; message < 4; message++) {
      sends.ends(message);
    }
    sends.announce(4, 0, 0, 1);
    sends.begins(4, 400);
    sends.moves(4, 400);
    sends.ends(4);
    assertThat(profiler.all(EventType.PROXY_OP)).hasSize(1).allMatch(event -> event.stops == 1);
    assertThat(profiler.all(EventType.PROXY_STEP))
        .hasSize(2)
        .allMatch(event -> event.stops == 1)
        .extracting(event -> event.bytes)
        .containsExactlyInAnyOrder(200L, 300L);
    assertThat(profiler.mistakes()).isEmpty();
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
