// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.samples.memory.MemoryNet;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.device.DeviceSession;
import io.nitinol.tck.plugin.Kind;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.Outcome;
import io.nitinol.tck.session.Flag;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.wrong.RareMistakes.ThrowsFromTestNowAndThen;
import io.nitinol.tck.wrong.SizeMistakes.LosesLastOddByte;
import io.nitinol.tck.wrong.ThrowsFromFind;
import io.nitinol.tck.wrong.ThrowsFromListen;
import io.nitinol.tck.wrong.WaitsInGetProperties;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CaseRunnerTest {

  /** An area with a test that makes a call without any care. */
  static final class Careless {
    @Rule("NET-CONN-14")
    void listens(NetSession session) {
      session.net().listen(0, session.handle());
    }

    @Rule("NET-CONN-16")
    void isWrongItself(NetSession session) {
      throw new IllegalStateException("of the test " + session.devices());
    }
  }

  @Test
  void whatAPluginThrowsIsNotTakenForADefectOfTheTest() {
    PluginUnderTest plugin = PluginUnderTest.of(ThrowsFromListen.class);
    LaneRun lane = new LaneRun(plugin, plugin.lanes().getFirst(), false, Duration.ofSeconds(3));
    List<CaseResult> results =
        RuleCatalog.find(List.of(Careless.class)).stream()
            .map(test -> CaseRunner.run(test, lane, 1))
            .toList();
    assertThat(results).extracting(CaseResult::broken).containsExactly("NET-ERR-01", "NET-CONN-16");
    assertThat(results.getFirst().outcome()).isEqualTo(Outcome.BLOCKED);
    assertThat(results.getFirst().why())
        .isEqualTo(
            "listen(device 0) threw java.lang.IllegalStateException: no listener today instead of"
                + " a NetException");
  }

  /** An area with a test that expects no call of the data path to fail. */
  static final class CarelessWithRequests {
    @Rule("NET-MEM-04")
    void sends(NetSession session) {
      NetConnection connection = session.connect();
      MemoryHandle from = connection.registerSend(session.area(64));
      MemoryHandle to = connection.registerRecv(session.area(64));
      for (int i = 0; i < 600; i++) {
        Request receive = connection.irecv(to, 0, 64, 0);
        Request send = connection.isend(from, 0, 64, 0);
        Flag sent = new Flag();
        Flag received = new Flag();
        session.await(
            "NET-TEST-05",
            "a message",
            () -> {
              boolean gone = sent.by(() -> connection.sender().test(send, null));
              return received.by(() -> connection.receiver().test(receive, null)) && gone;
            });
      }
    }
  }

  @Test
  void aCallThatFailsUnexpectedlyIsNamedWithItsRule() {
    PluginUnderTest plugin = PluginUnderTest.of(ThrowsFromTestNowAndThen.class);
    LaneRun lane = new LaneRun(plugin, plugin.lanes().getFirst(), false, Duration.ofSeconds(3));
    CaseResult result =
        CaseRunner.run(RuleCatalog.find(List.of(CarelessWithRequests.class)).getFirst(), lane, 1);
    assertThat(result.broken()).isEqualTo("NET-TEST-02");
    assertThat(result.why()).matches("test\\(.+\\) failed with SYSTEM_ERROR: busy");
  }

  /** An area with a test of device providers without any care. */
  static final class CarelessWithDevices {
    @Rule("DEVMEM-06")
    void finds(DeviceSession session) {
      session.provider().find(1);
    }
  }

  @Test
  void deviceProvidersThrowDeviceExceptionsOnly() {
    PluginUnderTest plugin = PluginUnderTest.of(ThrowsFromFind.class);
    LaneRun lane = new LaneRun(plugin, plugin.lanes().getFirst(), false, Duration.ofSeconds(3));
    CaseResult result =
        CaseRunner.run(RuleCatalog.find(List.of(CarelessWithDevices.class)).getFirst(), lane, 1);
    assertThat(result.broken()).isEqualTo("DEV-12");
    assertThat(result.why()).contains("no finding today").endsWith("instead of a DeviceException");
  }

  /** An area whose tests map memory and end in their own ways. */
  static final class Maps {
    static @Nullable MemorySegment mapped;

    @Rule("NET-REG-02")
    void turnsOutNotToApply(NetSession session) {
      mapped = session.arena().allocate(1);
      throw session.skip("not here");
    }

    @Rule("NET-REG-03")
    void fails(NetSession session) {
      mapped = session.arena().allocate(1);
      session.check(false, "it does not");
    }
  }

  @ParameterizedTest
  @CsvSource({"NET-REG-02, SKIPPED, false", "NET-REG-03, FAILED, true"})
  void memoryStaysOnlyWhereThePluginMayStillWriteToIt(String rule, Outcome outcome, boolean stays) {
    PluginUnderTest plugin = PluginUnderTest.of(LosesLastOddByte.class);
    LaneRun lane = new LaneRun(plugin, plugin.lanes().getFirst(), false, Duration.ofSeconds(3));
    CaseResult result =
        RuleCatalog.find(List.of(Maps.class)).stream()
            .filter(test -> test.rule().equals(rule))
            .map(test -> CaseRunner.run(test, lane, 1))
            .findFirst()
            .orElseThrow();
    assertThat(result.outcome()).isEqualTo(outcome);
    assertThat(Objects.requireNonNull(Maps.mapped).scope().isAlive()).isEqualTo(stays);
  }

  @Test
  void theTraceEndsWithTheFailureAndNotWithTheClosesAfterIt() {
    PluginUnderTest plugin = PluginUnderTest.of(LosesLastOddByte.class);
    LaneRun lane = new LaneRun(plugin, plugin.lanes().getFirst(), false, Duration.ofSeconds(3));
    CaseResult failed =
        RuleCatalog.cases().stream()
            .filter(test -> test.kind() == Kind.NET && test.rule().equals("NET-SEND-08"))
            .map(test -> CaseRunner.run(test, lane, 1))
            .filter(result -> result.broken() != null)
            .findFirst()
            .orElseThrow();
    assertThat(failed.trace())
        .anyMatch(line -> line.contains("] isend("))
        .noneMatch(line -> line.contains("] closeSend") || line.contains("] closeRecv"));
  }

  /** An area whose tests stand still, each for its own reason. */
  static final class StandsStill {
    @Rule(value = "NET-CONN-14", seconds = 1)
    void ofItself(NetSession session) {
      session.devices();
      while (true) {
        LockSupport.park(session);
      }
    }

    @Rule(value = "NET-REG-05", seconds = 3)
    void inACallWithoutABoundOfItsOwn(NetSession session) {
      session.explain(List.of("step 1 of 1: properties"));
      session.net().getProperties(0);
    }

    static final CountDownLatch ENDED = new CountDownLatch(1);

    @Rule(value = "NET-REG-06", seconds = 1)
    void untilItIsGivenUp(NetSession session) {
      while (!session.isGivenUp()) {
        LockSupport.parkNanos(1_000_000);
      }
      ENDED.countDown();
    }
  }

  private static CaseResult standsStill(TestBench bench, PluginUnderTest plugin, String rule) {
    RuleCase test =
        RuleCatalog.find(List.of(StandsStill.class)).stream()
            .filter(each -> each.rule().equals(rule))
            .findFirst()
            .orElseThrow();
    return bench.execute(test, plugin.lanes().getFirst(), () -> {});
  }

  @Test
  void aTestThatStandsStillWithoutTheBlameOfThePluginHasNoVerdictInTwoAttempts() {
    PluginUnderTest plugin = PluginUnderTest.of(MemoryNet.class);
    try (TestBench bench = new TestBench(plugin, false, 1, false, Duration.ofSeconds(1))) {
      CaseResult result = standsStill(bench, plugin, "NET-CONN-14");
      assertThat(result.outcome()).isEqualTo(Outcome.INCONCLUSIVE);
      assertThat(result.broken()).isNull();
      assertThat(result.why()).matches("the test has not ended after \\d+ s, and no call .*");
      assertThat(result.notes()).singleElement().asString().startsWith("tried twice: at first, ");
      assertThat(result.trace()).anyMatch(line -> line.contains("StandsStill.ofItself"));
      assertThat(bench.isStuck()).isTrue();
    }
  }

  @Test
  void aCallThatNeverReturnsIsNamedWithItsStack() {
    PluginUnderTest plugin = PluginUnderTest.of(WaitsInGetProperties.class);
    try (TestBench bench = new TestBench(plugin, false, 1, false, Duration.ofSeconds(1))) {
      CaseResult result = standsStill(bench, plugin, "NET-REG-05");
      assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
      assertThat(result.why()).matches("getProperties\\(.*\\) has not returned after \\d+ ms");
      assertThat(result.notes()).isEmpty();
      assertThat(result.trace())
          .startsWith("step 1 of 1: properties")
          .contains("thread tck-NET-REG-05 stands in")
          .anyMatch(line -> line.contains("WaitsInGetProperties.getProperties"));
    }
  }

  @Test
  void aTestThatIsGivenUpIsToldSo() throws InterruptedException {
    PluginUnderTest plugin = PluginUnderTest.of(MemoryNet.class);
    try (TestBench bench = new TestBench(plugin, false, 1, false, Duration.ofSeconds(1))) {
      CaseResult result = standsStill(bench, plugin, "NET-REG-06");
      assertThat(result.outcome()).isEqualTo(Outcome.INCONCLUSIVE);
      assertThat(StandsStill.ENDED.await(1, TimeUnit.MINUTES)).isTrue();
    }
  }
}
