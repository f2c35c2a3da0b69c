// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.testing.Slow;
import io.nitinol.tck.Kit;
import io.nitinol.tck.KitListener;
import io.nitinol.tck.KitOptions;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.peer.FromPeer;
import io.nitinol.tck.peer.Peer;
import io.nitinol.tck.peer.PeerRequest;
import io.nitinol.tck.peer.PeerStock;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.Outcome;
import io.nitinol.tck.session.CallTrace;
import io.nitinol.tck.session.KitLog;
import io.nitinol.tck.session.KitPatience;
import io.nitinol.tck.session.NetInstance;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.TestTerms;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * While the kit waits at one side of a connection it calls the other side, too, as NCCL does; and
 * what one side does not do is reported under the rule of that side's call.
 */
class TwoSidesTest {
  /** Rules with tests in which a first send may find no room, each after a receive was posted. */
  private static final Set<String> RULES =
      Set.of(
          "NET-CLOSE-03",
          "NET-CLOSE-04",
          "NET-CLOSE-07",
          "NET-REG-05",
          "NET-REG-13",
          "NET-RECV-05",
          "NET-SEND-07",
          "NET-SEND-10",
          "NET-SEND-11",
          "NET-TEST-08",
          "NET-THREAD-05");

  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final PluginUnderTest STINGY =
      PluginUnderTest.of(TakesNoSendInAnotherProcess.class);

  @AfterAll
  static void endPeers() {
    PeerStock.clear(STINGY);
  }

  @Test
  @Slow
  void aNetworkThatMovesWhileBothSidesCallIsNotAccused() {
    List<CaseResult> results =
        Kit.run(
                PluginUnderTest.of(MovesWhileBothSidesCall.class),
                KitOptions.quick().only(RULES).withoutProcesses().withPatience(PATIENCE),
                new KitListener() {})
            .cases();
    assertThat(results)
        // This network does not notice that a peer goes before the first send, which is no test
        // here.
        .filteredOn(result -> result.broken() != null && !result.broken().equals("NET-CLOSE-05"))
        .extracting(result -> result.test() + ": " + result.broken() + " " + result.why())
        .isEmpty();
    assertThat(results)
        .filteredOn(result -> result.outcome() == Outcome.PASSED)
        .extracting(CaseResult::rule)
        .containsAll(RULES);
  }

  @Test
  @Slow
  void aSendThatAPeerNeverTakesBreaksTheRuleOfRoom() {
    LaneRun lane = new LaneRun(STINGY, STINGY.lanes().getFirst(), false, PATIENCE);
    RuleCase both =
        RuleCatalog.cases().stream()
            .filter(test -> test.name().equals("messagesOfAllSortsArriveBothWaysAtOnce"))
            .findFirst()
            .orElseThrow();
    CaseResult result = CaseRunner.run(both, lane, 1);
    assertThat(result.outcome()).isEqualTo(Outcome.BLOCKED);
    assertThat(result.broken()).isEqualTo("NET-SEND-02");
    assertThat(result.why())
        .isEqualTo("in the peer process, waited in vain for room for send 0 of 6");
    withConnection(connection ->
        assertThatThrownBy(() -> connection.transfer(64))
            .isInstanceOfSatisfying(
                RuleViolation.class, e -> assertThat(e.rule()).isEqualTo("NET-SEND-02"))
            .hasMessage("in the peer process, waited in vain for room for a send"));
  }

  @Test
  void whatASendThrowsInAPeerIsNotBlamedOnTheTestThatPostsIt() {
    withConnection(connection -> {
      PeerRequest send = connection.there().send(TakesNoSendInAnotherProcess.THROWS, 1, 0);
      assertThatThrownBy(() -> send.finish().get())
          .isInstanceOfSatisfying(
              RuleViolation.class, e -> assertThat(e.rule()).isEqualTo("NET-SEND-08"))
          .hasMessageMatching(
              "in the peer process, isend failed with INTERNAL_ERROR: .*no send today.*");
    });
  }

  private static void withConnection(Consumer<FromPeer> use) {
    CallTrace trace = new CallTrace();
    KitLog log = new KitLog();
    TestTerms terms =
        new TestTerms(
            STINGY,
            STINGY.lanes().getFirst(),
            "NET-CONN-04",
            false,
            1,
            new KitPatience(PATIENCE.toNanos()),
            trace,
            log);
    try (NetSession session =
        new NetSession(terms, NetInstance.start(STINGY, STINGY.lanes().getFirst(), trace, log))) {
      use.accept(FromPeer.connect(Peer.start(session)));
    }
  }
}
