// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.plugin.ProfilerCatalog;
import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.core.profiler.RecordingProfiler;
import io.nitinol.core.profiler.RecordingProfiler.Broken;
import io.nitinol.core.transport.DelegatingNet;
import io.nitinol.core.transport.MemoryNet;
import io.nitinol.spi.DataType;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.NetProfiler;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.spi.profiler.EventType;
import io.nitinol.spi.profiler.ReportType;
import io.nitinol.spi.profiler.v1.ProfilerReport.Connection;
import io.nitinol.spi.profiler.v1.ProfilerReport.Failure;
import io.nitinol.spi.profiler.v1.ProfilerReport.Registration;
import io.nitinol.spi.profiler.v1.ProfilerReport.SlowCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What a profiler is told of a network plugin's calls, of connections, memory and a failure. */
class ProfilerReportTest {
  private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(60);
  private static final EnumSet<ReportType> EVERYTHING = EnumSet.allOf(ReportType.class);

  private final RecordedLog log = new RecordedLog();
  private final SlowNet net = new SlowNet();
  private final RecordingProfiler heard =
      new RecordingProfiler("ear", EnumSet.noneOf(EventType.class));

  /** Takes long over the second message that it is given, and keeps what it registers. */
  private static final class SlowNet extends DelegatingNet {
    final Queue<Long> registered = new ConcurrentLinkedQueue<>();
    final AtomicInteger sends = new AtomicInteger();

    /**
     * Set where a thread has connected, whose rank is set up so far that it needs no properties.
     */
    private final ThreadLocal<Boolean> connected = ThreadLocal.withInitial(() -> false);

    SlowNet() {
      super(new MemoryNet(7));
    }

    @Override
    public @Nullable SendComm connect(
        NetContext context, int device, MemorySegment handle, @Nullable DeviceHandle[] offload) {
      SendComm made = super.connect(context, device, handle, offload);
      connected.set(made != null);
      return made;
    }

    @Override
    public NetProperties getProperties(int device) {
      if (connected.get()) {
        throw new IllegalStateException("the device is not asked about while it connects");
      }
      return super.getProperties(device);
    }

    @Override
    public MemoryHandle regMr(Comm comm, Memory memory) {
      registered.add(memory.size());
      return super.regMr(comm, memory);
    }

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag, long parent) {
      if (sends.incrementAndGet() == 2) {
        long end = System.nanoTime() + SLOW_NANOS;
        while (System.nanoTime() - end < 0) {
          LockSupport.parkNanos(end - System.nanoTime());
        }
      }
      return super.isend(comm, mr, offset, length, tag, parent);
    }
  }

  private CommConfig config(String... settings) {
    Map<String, String> values = new HashMap<>();
    values.put("NCCL_SOCKET_IFNAME", "lo");
    values.put("NITINOL_BOOTSTRAP_TIMEOUT", "50");
    values.put("NCCL_P2P_DISABLE", "1");
    values.put("NCCL_SHM_DISABLE", "1");
    values.put("NCCL_ALGO", "ring");
    for (int i = 0; i < settings.length; i += 2) {
      values.put(settings[i], settings[i + 1]);
    }
    return CommConfig.standard()
        .withSettings(Settings.of(values))
        .withNet(net)
        .withLogger(log)
        .withPlugins(ProfilerCatalog.of(log, heard))
        .withChannels(1, 1);
  }

  private static void allReduces(CommConfig config, int times) {
    allReduces(2, config, times);
  }

  private static void allReduces(int size, CommConfig config, int times) {
    List<Communicator> ranks = Communicator.initAll(size, config);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment buffer = arena.allocate(size * 4000L);
      buffer.fill((byte) 1);
      for (int i = 0; i < times; i++) {
        List<Work> works = new ArrayList<>();
        for (Communicator rank : ranks) {
          MemorySegment own = buffer.asSlice(4000L * rank.rank(), 4000);
          works.add(rank.allReduce(own, own, 1000, DataType.INT32, ReductionOp.SUM));
        }
        works.forEach(Work::await);
      }
      int sum = 0x01010101 * (int) Math.round(Math.pow(size, times));
      for (int i = 0; i < size * 1000; i++) {
        assertThat(buffer.getAtIndex(ValueLayout.JAVA_INT, i)).isEqualTo(sum);
      }
    } finally {
      ranks.forEach(Communicator::close);
    }
  }

  @Test
  void aCallThatTakesLongIsReportedWithItsConnection() {
    heard.wantReports(EnumSet.of(ReportType.SLOW_CALL));
    // The machine may hold up another call, but hardly for longer than the slow one takes.
    allReduces(config("NITINOL_PROFILE_SLOW_CALL_US", "50000"), 3);
    List<SlowCall> sends = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      for (SlowCall call : heard.reports(rank, SlowCall.class)) {
        assertThat(call.peer()).isEqualTo(1 - rank);
        assertThat(call.channel()).isZero();
        assertThat(call.nanos()).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(50));
        if (call.call().equals("isend")) {
          sends.add(call);
        }
      }
    }
    assertThat(sends).isNotEmpty().anyMatch(call -> call.nanos() >= SLOW_NANOS);
    assertThat(net.sends.get()).as("of so many").isGreaterThan(sends.size());
    assertThat(heard.reports()).allMatch(told -> told.report() instanceof SlowCall);
  }

  @Test
  void everyCallIsReportedWhereTheLimitIsZero() {
    heard.wantReports(EnumSet.of(ReportType.SLOW_CALL));
    allReduces(config("NITINOL_PROFILE_SLOW_CALL_US", "0"), 1);
    for (int rank = 0; rank < 2; rank++) {
      assertThat(heard.reports(rank, SlowCall.class))
          .extracting(SlowCall::call)
          .contains(
              "listen",
              "connect",
              "accept",
              "closeListen",
              "regMr",
              "isend",
              "irecv",
              "test",
              "deregMr",
              "closeSend",
              "closeRecv");
    }
    assertThat(heard.reports().stream().filter(ProfilerReportTest::isSend).count())
        .isEqualTo(net.sends.get());
  }

  private static boolean isSend(RecordingProfiler.Told told) {
    return told.report() instanceof SlowCall call && call.call().equals("isend");
  }

  @Test
  void connectionsAndTheirMemoryAreReported() {
    heard.wantReports(EnumSet.of(ReportType.CONNECTION, ReportType.REGISTRATION));
    allReduces(config(), 1);
    List<Long> bytes = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      int peer = 1 - rank;
      List<Connection> made = heard.reports(rank, Connection.class);
      assertThat(made).extracting(Connection::sends).containsExactlyInAnyOrder(true, false);
      assertThat(made).allMatch(each -> each.peer() == peer && each.channel() == 0);
      assertThat(made).allMatch(each -> each.network().equals(net.name()));
      assertThat(made).allMatch(each -> each.use().equals("collective"));
      assertThat(made).allMatch(each -> each.device().equals(net.getProperties(0).name()));
      assertThat(made).allMatch(each -> each.nanos() > 0);
      List<Registration> memory = heard.reports(rank, Registration.class);
      assertThat(memory).allMatch(each -> each.peer() == peer && each.channel() == 0);
      assertThat(memory).allMatch(each -> each.memory() == PointerType.HOST);
      memory.forEach(each -> bytes.add(each.bytes()));
    }
    assertThat(net.registered).hasSizeGreaterThanOrEqualTo(4);
    assertThat(bytes).containsExactlyInAnyOrderElementsOf(net.registered);
  }

  @Test
  void aFailureIsReportedOnceByEachRank() {
    heard.wantReports(EVERYTHING);
    List<Communicator> ranks = Communicator.initAll(2, config());
    try (Arena arena = Arena.ofShared()) {
      MemorySegment buffer = arena.allocate(4000);
      Work alone = ranks.get(0).allReduce(buffer, buffer, 1000, DataType.INT32, ReductionOp.SUM);
      ranks.get(1).abort();
      ranks.get(1).abort();
      assertThatThrownBy(alone::await).isInstanceOf(CommException.class);
      assertThat(ranks.get(0).asyncError()).isNotNull();
    } finally {
      ranks.forEach(Communicator::close);
    }
    for (int rank = 0; rank < 2; rank++) {
      List<Failure> failures = heard.reports(rank, Failure.class);
      assertThat(failures).as("rank %d", rank).hasSize(1);
      assertThat(failures.getFirst().failedRank()).isOne();
    }
    assertThat(heard.reports(0, Failure.class).getFirst().result())
        .isEqualTo(ResultCode.REMOTE_ERROR);
    assertThat(heard.reports(0, Failure.class).getFirst().message()).contains("abort");
    assertThat(heard.mistakes()).as("a report after the end is one").isEmpty();
  }

  /** Among three ranks the peer tells the two directions apart. */
  @Test
  void eachReportTellsTheDirectionOfItsConnection() {
    heard.wantReports(EVERYTHING);
    allReduces(3, config("NITINOL_PROFILE_SLOW_CALL_US", "0"), 1);
    for (int rank = 0; rank < 3; rank++) {
      int to = (rank + 1) % 3;
      int from = (rank + 2) % 3;
      for (Connection made : heard.reports(rank, Connection.class)) {
        assertThat(made.peer()).as("%s", made).isEqualTo(made.sends() ? to : from);
      }
      List<Registration> memory = heard.reports(rank, Registration.class);
      assertThat(memory).extracting(Registration::sends).contains(true, false);
      for (Registration each : memory) {
        assertThat(each.peer()).as("%s", each).isEqualTo(each.sends() ? to : from);
      }
      List<SlowCall> calls = heard.reports(rank, SlowCall.class);
      for (SlowCall call : calls) {
        assertThat(call.peer()).as("%s", call).isEqualTo(call.sends() ? to : from);
      }
      assertThat(calls).filteredOn(call -> call.call().equals("test")).isNotEmpty();
      for (String sending : List.of("connect", "isend", "closeSend")) {
        assertThat(calls).filteredOn(each -> each.call().equals(sending)).allMatch(SlowCall::sends);
      }
      for (String receiving : List.of("listen", "accept", "irecv", "closeRecv")) {
        assertThat(calls)
            .filteredOn(each -> each.call().equals(receiving))
            .noneMatch(SlowCall::sends);
      }
      // One reading of the clock for both: a registration is the call that it was made by.
      List<Long> registering =
          calls.stream().filter(each -> each.call().equals("regMr")).map(SlowCall::nanos).toList();
      assertThat(memory)
          .extracting(Registration::nanos)
          .containsExactlyInAnyOrderElementsOf(registering);
    }
    assertThat(heard.mistakes()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(value = Broken.class, names = "NOT", mode = Mode.EXCLUDE)
  void aProfilerThatBreaksOverReportsHarmsNoOperation(Broken how) {
    heard.wantReports(EVERYTHING);
    heard.breakReports(how);
    allReduces(config("NITINOL_PROFILE_SLOW_CALL_US", "0"), 2);
    assertThat(log.warnings())
        .anyMatch(line -> line.contains("profiler ear of rank 0 failed and is switched off"));
    assertThat(heard.reports()).isEmpty();
    assertThat(heard.finalized()).isEqualTo(2);
  }

  @Test
  void aFailureOfTheSetupIsReportedBeforeTheEnd() {
    heard.wantReports(EVERYTHING);
    Net absent =
        new DelegatingNet(net) {
          @Override
          public NetContext init(
              long commId, NetCommConfig config, DebugLogger logger, @Nullable NetProfiler events) {
            throw new NetException(ResultCode.SYSTEM_ERROR, "the network is switched off");
          }
        };
    long before = System.nanoTime();
    assertThatThrownBy(() -> Communicator.initAll(1, config().withNet(absent)).getFirst().close())
        .isInstanceOf(CommException.class)
        .hasMessageContaining("switched off");
    List<Failure> failures = heard.reports(0, Failure.class);
    assertThat(failures).hasSize(1);
    assertThat(failures.getFirst().result()).isEqualTo(ResultCode.SYSTEM_ERROR);
    assertThat(failures.getFirst().message()).contains("switched off");
    assertThat(failures.getFirst().time()).isBetween(before, System.nanoTime());
    assertThat(heard.finalized()).isOne();
    assertThat(heard.mistakes()).as("a report after the end is one").isEmpty();
  }

  @Test
  void nothingIsReportedThatNobodyWants() {
    heard.wantReports(EnumSet.noneOf(ReportType.class));
    allReduces(config("NITINOL_PROFILE_SLOW_CALL_US", "0"), 2);
    assertThat(heard.reports()).isEmpty();
    assertThat(heard.mistakes()).isEmpty();
  }

  @Test
  void whatIsWantedMayChangeBetweenCalls() {
    List<Communicator> ranks = Communicator.initAll(2, config("NITINOL_PROFILE_SLOW_CALL_US", "0"));
    try (Arena arena = Arena.ofShared()) {
      MemorySegment buffer = arena.allocate(8);
      assertThat(heard.reports()).isEmpty();
      heard.wantReports(EnumSet.of(ReportType.SLOW_CALL));
      List<Work> works = new ArrayList<>();
      for (Communicator rank : ranks) {
        MemorySegment own = buffer.asSlice(4L * rank.rank(), 4);
        works.add(rank.allReduce(own, own, 1, DataType.INT32, ReductionOp.SUM));
      }
      works.forEach(Work::await);
      assertThat(heard.reports()).anyMatch(ProfilerReportTest::isSend);
    } finally {
      ranks.forEach(Communicator::close);
    }
  }
}
