// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.nitinol.core.CommException;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommFailuresTest {
  private record Notice(int rank, String text) {}

  private final List<Notice> sent = new ArrayList<>();

  /** In nanoseconds; a millisecond passes with every look at it. */
  private final AtomicLong clock = new AtomicLong();

  private long now() {
    return clock.addAndGet(1_000_000);
  }

  private List<CommFailures> group(int n) {
    List<CommFailures> group = new ArrayList<>();
    for (int r = 0; r < n; r++) {
      int rank = r;
      group.add(
          new CommFailures(
              r,
              (who, text) -> sent.add(new Notice(who, "rank " + rank + " reports: " + text)),
              this::now));
    }
    return group;
  }

  /** Delivers everything, to every other rank beginning with another notice, answers included. */
  private void deliver(List<CommFailures> group) {
    for (int done = 0; done < sent.size(); ) {
      List<Notice> round = List.copyOf(sent.subList(done, sent.size()));
      done = sent.size();
      for (int r = 0; r < group.size(); r++) {
        for (int i = 0; i < round.size(); i++) {
          Notice notice = round.get((i + r) % round.size());
          group.get(r).notice(notice.rank(), notice.text());
        }
      }
    }
  }

  private static CommException decided(CommFailures failures) {
    CommException failure = failures.get();
    while (failure == null) {
      Thread.onSpinWait();
      failure = failures.get();
    }
    return failure;
  }

  private static FailureReport waits(int who, int forWhom) {
    return new FailureReport(
        who, ResultCode.TIMEOUT, forWhom, "rank " + who + " waits for rank " + forWhom);
  }

  private void expect(List<CommFailures> group, ResultCode result, int rank, String text) {
    for (CommFailures failures : group) {
      CommException failure = decided(failures);
      assertThat(failure.result()).isEqualTo(result);
      assertThat(failure.failedRank()).isEqualTo(rank);
      assertThat(failure).hasMessageContaining(text);
      assertThat(failure).hasMessage(decided(group.getFirst()).getMessage());
    }
  }

  /** The first listener is a device's provider, say, and the second one another's. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aListenerThatBreaksKeepsTheNewsFromNobody(boolean report) {
    CommFailures failures = group(2).getFirst();
    List<Integer> sentBefore = new ArrayList<>();
    RuntimeException mistake = new IllegalStateException("a bug of the listener");
    failures.onStop(() -> {
      sentBefore.add(sent.size());
      throw mistake;
    });
    failures.onStop(() -> sentBefore.add(sent.size()));
    if (report) {
      failures.report(waits(0, 1));
    } else {
      failures.fail(new CommException(ResultCode.INTERNAL_ERROR, 0, "broken", null));
    }
    assertThat(sent).hasSize(1);
    assertThat(sentBefore).containsExactly(1, 1);
    assertThat(decided(failures).getSuppressed()).containsExactly(mistake);
  }

  @Test
  void aMismatchSeenFromTwoSidesIsOneOnAllRanks() {
    List<CommFailures> group = group(3);
    group.get(2).failHere(new CommException(ResultCode.INVALID_USAGE, "ranks 1 and 2 differ"), "x");
    group.get(1).failHere(new CommException(ResultCode.INVALID_USAGE, "ranks 0 and 1 differ"), "x");
    deliver(group);
    // A rank that ends at once because of the verdict must not change that of the others.
    group.get(0).notice(2, "the connection to it ended without a goodbye");
    expect(group, ResultCode.INVALID_USAGE, -1, "ranks 0 and 1 differ");
  }

  @Test
  void aStallIsFollowedToTheRankThatDoesNotWait() {
    List<CommFailures> group = group(5);
    // Rank 3 has not called; only rank 1's time is over.
    for (int r : new int[] {0, 1, 2, 4}) {
      group.get(r).answerWith(() -> waits(r, (r + 4) % 5));
    }
    group.get(1).report(waits(1, 0));
    deliver(group);
    assertThat(sent).hasSize(4);
    expect(group, ResultCode.TIMEOUT, 3, "rank 4 waits for rank 3");
  }

  @Test
  void aRankThatIsSlowToAnswerIsNotBlamed() {
    AtomicLong time = new AtomicLong();
    List<CommFailures> group = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      group.add(new CommFailures(rank, (who, text) -> {}, time::get));
    }
    // Rank 2 is stopped; rank 1 waits for it and needs more than a second to say so.
    FailureReport late = waits(1, 2);
    for (CommFailures each : group) {
      each.notice(0, waits(0, 1).toText());
    }
    group.getFirst().report(waits(0, 1));
    time.set(TimeUnit.MILLISECONDS.toNanos(1400));
    assertThat(group).extracting(CommFailures::get).containsOnlyNulls();
    for (CommFailures each : group) {
      each.notice(1, late.toText());
    }
    time.set(TimeUnit.MILLISECONDS.toNanos(2000));
    for (CommFailures each : List.of(group.get(0), group.get(2))) {
      assertThat(each.get()).returns(2, CommException::failedRank);
    }
  }

  @Test
  void aLostConnectionIsDecidedWithoutTheTimeOfSlowRanks() {
    AtomicLong time = new AtomicLong();
    CommFailures failures = new CommFailures(0, (who, text) -> {}, time::get);
    failures.suspect(1, new NetException(ResultCode.REMOTE_ERROR, "reset"));
    time.set(TimeUnit.MILLISECONDS.toNanos(1000));
    failures.settle();
    time.set(TimeUnit.MILLISECONDS.toNanos(1499));
    assertThat(failures.get()).isNull();
    time.set(TimeUnit.MILLISECONDS.toNanos(1500));
    assertThat(failures.get()).returns(1, CommException::failedRank);
  }

  /** The card of each has failed, and rank 2 has lost rank 1 by that. */
  @Test
  void ofRanksThatBlameThemselvesTheLowestIsNamedByAll() {
    List<CommFailures> group = group(4);
    for (int own : new int[] {3, 1}) {
      group
          .get(own)
          .report(new FailureReport(own, ResultCode.SYSTEM_ERROR, own, "card of " + own), null);
    }
    group.get(2).suspect(1, new NetException(ResultCode.REMOTE_ERROR, "reset"));
    deliver(group);
    assertThat(sent).hasSize(3);
    expect(group.subList(1, 2), ResultCode.SYSTEM_ERROR, 1, "card of 1");
    expect(group.subList(2, 4), ResultCode.REMOTE_ERROR, 1, "card of 1");
    expect(group.subList(0, 1), ResultCode.REMOTE_ERROR, 1, "card of 1");
  }

  @Test
  void whatWasThrownHereIsKeptWithAFailureThatBlamesAnother() {
    List<CommFailures> group = group(2);
    Exception own = new Exception("the second card");
    group.get(0).report(new FailureReport(0, ResultCode.SYSTEM_ERROR, 0, "the first card"), null);
    group.get(1).report(new FailureReport(1, ResultCode.SYSTEM_ERROR, 1, "the second card"), own);
    deliver(group);
    expect(group.subList(1, 2), ResultCode.REMOTE_ERROR, 0, "the first card");
    assertThat(decided(group.get(1)).getSuppressed()).containsExactly(own);
  }

  /** Rank 1 has lost a rank that only left, and does not know that yet. */
  @Test
  void aRankThatBlamesItselfIsNamedBeforeOneThatAnotherDoubts() {
    List<CommFailures> group = group(4);
    group.get(1).doubt(new FailureReport(1, ResultCode.REMOTE_ERROR, 0, "1 to 0 is reset"));
    group.get(3).report(new FailureReport(3, ResultCode.SYSTEM_ERROR, 3, "the card"));
    deliver(group);
    assertThat(sent).hasSize(2);
    expect(group.subList(0, 3), ResultCode.REMOTE_ERROR, 3, "the card");
    expect(group.subList(3, 4), ResultCode.SYSTEM_ERROR, 3, "the card");
  }

  @Test
  void causesThatGoInACircleAreLookedAtOnce() {
    IOException first = new IOException("reset");
    first.initCause(new IllegalStateException("by", first));
    assertThat(FailureReport.isEnd(new NetException(ResultCode.REMOTE_ERROR, "lost", first)))
        .isTrue();
  }

  /** Each could not connect to the other and waits for news of it before it says so. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDoubtIsAnAnswerUntilItIsTakenBack(boolean takenBack) {
    List<CommFailures> group = group(2);
    FailureReport doubt = new FailureReport(1, ResultCode.REMOTE_ERROR, 0, "1 to 0 is refused");
    group.get(1).doubt(doubt);
    if (takenBack) {
      group.get(1).doubtNoMore(doubt);
    }
    assertThat(group.get(1).get()).isNull();
    assertThat(group.get(1).isStopped()).isFalse();
    group.get(0).report(new FailureReport(0, ResultCode.REMOTE_ERROR, 1, "0 to 1 is refused"));
    deliver(group);
    expect(group, ResultCode.REMOTE_ERROR, takenBack ? 1 : -1, "0 to 1 is refused");
  }

  /**
   * The limit for one connection is over: what the other end waits for has nothing to do with it.
   */
  @Test
  void aConnectionThatDoesNotComeAboutIsNoWaitThatOthersExplain() {
    List<CommFailures> group = group(3);
    group.get(1).answerWith(() -> waits(1, 2));
    String late = "rank 0 could not connect to rank 1";
    group.get(0).report(new FailureReport(0, ResultCode.TIMEOUT, 1, true, null, late));
    deliver(group);
    assertThat(sent).hasSize(1);
    expect(group, ResultCode.TIMEOUT, 1, late);
    assertThat(decided(group.get(0))).hasMessage(late);
  }

  @Test
  void aConnectionThatDoesNotComeAboutIsDecidedWithoutTheTimeOfSlowRanks() {
    AtomicLong time = new AtomicLong();
    CommFailures failures = new CommFailures(0, (who, text) -> {}, time::get);
    failures.report(new FailureReport(0, ResultCode.TIMEOUT, 1, true, null, "late"));
    time.set(TimeUnit.MILLISECONDS.toNanos(499));
    assertThat(failures.get()).isNull();
    time.set(TimeUnit.MILLISECONDS.toNanos(500));
    assertThat(failures.get()).returns(1, CommException::failedRank);
  }

  /** Both ends of a connection run out of its time at once, or one knows why. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void twoEndsOfAConnectionThatDoesNotComeAboutBlameNeither(boolean known) {
    List<CommFailures> group = group(3);
    group.get(1).report(new FailureReport(1, ResultCode.TIMEOUT, 2, true, null, "1 to 2 is late"));
    group
        .get(2)
        .report(
            known
                ? new FailureReport(2, ResultCode.REMOTE_ERROR, 1, "2 refuses what 1 sent")
                : new FailureReport(2, ResultCode.TIMEOUT, 1, true, null, "2 by 1 is late"));
    deliver(group);
    if (known) {
      expect(group, ResultCode.REMOTE_ERROR, 1, "2 refuses what 1 sent");
    } else {
      expect(group, ResultCode.TIMEOUT, -1, "1 to 2 is late");
    }
  }

  @Test
  void aStallInACircleBlamesNobody() {
    List<CommFailures> group = group(3);
    group.forEach(f -> f.answerWith(() -> waits(f.rank(), (f.rank() + 2) % 3)));
    group.get(1).report(waits(1, 0));
    deliver(group);
    expect(group, ResultCode.TIMEOUT, -1, "[0, 2, 1]");
  }

  @Test
  void aWaitForARankIsToldBeforeOneForNobodyInParticular() {
    List<CommFailures> group = group(4);
    group.get(1).answerWith(() -> waits(1, 0)); // and 0 cannot say for whom
    group.get(2).answerWith(() -> waits(2, 3));
    group.get(0).report(waits(0, -1));
    deliver(group);
    assertThat(sent).hasSize(3);
    expect(group, ResultCode.TIMEOUT, 3, "rank 2 waits for rank 3");
  }

  @Test
  void aWaitForNobodyInParticularIsToldWhereThereIsNoOther() {
    List<CommFailures> group = group(3);
    group.get(0).answerWith(() -> waits(0, 1));
    group.get(1).report(waits(1, -1));
    deliver(group);
    expect(group, ResultCode.TIMEOUT, -1, "rank 1 waits for rank -1");
  }

  @Test
  void aLinkThatBreaksBetweenTwoBlamesNeither() {
    List<CommFailures> group = group(3);
    group.get(0).suspect(1, new NetException(ResultCode.REMOTE_ERROR, "reset"));
    group.get(1).suspect(0, new NetException(ResultCode.REMOTE_ERROR, "reset"));
    while (sent.isEmpty()) {
      group.getFirst().settle();
    }
    deliver(group);
    expect(group, ResultCode.REMOTE_ERROR, -1, "lost its connection");
  }

  private static NetException lost(IOException cause) {
    NetException first = new NetException(ResultCode.REMOTE_ERROR, "it (" + cause + ")", cause);
    return new NetException(ResultCode.REMOTE_ERROR, String.valueOf(first.getMessage()), first);
  }

  static List<NetException> causes() {
    return List.of(
        new NetException(ResultCode.REMOTE_ERROR, "the stream is out of step"),
        lost(new IOException("Tag mismatch", new SSLException("a changed record"))),
        lost(new ProtocolException("a frame announces -1 bytes")));
  }

  static List<NetException> ends() {
    return List.of(
        lost(new IOException("Broken pipe")),
        lost(new SocketException("Connection reset")),
        lost(new EOFException("closed by the peer")),
        lost(new ClosedChannelException()));
  }

  /** The receiver finds wrong data and closes; its sender, the lower rank, sees just the end. */
  @ParameterizedTest
  @MethodSource("causes")
  void theSideThatKnowsACauseIsHeardBeforeTheOneThatSeesAnEnd(NetException cause) {
    for (NetException end : ends()) {
      sent.clear();
      List<CommFailures> group = group(3);
      group.get(0).suspect(1, end);
      group.get(1).suspect(0, cause);
      while (sent.isEmpty()) {
        group.getFirst().settle();
      }
      deliver(group);
      expect(group, ResultCode.REMOTE_ERROR, 0, "rank 1 lost its connection with rank 0: ");
      expect(group, ResultCode.REMOTE_ERROR, 0, String.valueOf(cause.getMessage()));
    }
  }

  @Test
  void twoSidesThatSeeAnEndBlameNeither() {
    List<CommFailures> group = group(2);
    group.get(0).suspect(1, lost(new IOException("Broken pipe")));
    group.get(1).suspect(0, lost(new EOFException("closed by the peer")));
    while (sent.isEmpty()) {
      group.getFirst().settle();
    }
    deliver(group);
    expect(group, ResultCode.REMOTE_ERROR, -1, "no single one is to blame");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 2})
  void aCollectiveNetworkThatFailsIsTheFaultOfARankThatHasLeftIfThereIsOne(int leaver) {
    List<CommFailures> group = group(2);
    for (CommFailures each : group) {
      each.blameOfNetwork(() -> leaver);
      each.suspect(-1, new NetException(ResultCode.REMOTE_ERROR, "the switch closed the group"));
    }
    while (sent.isEmpty()) {
      group.getFirst().settle();
    }
    deliver(group);
    expect(group, ResultCode.REMOTE_ERROR, leaver, "the switch closed the group");
  }

  /** Only the neighbours of a rank that leaves are told of it. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void ranksThatDoNotKnowWhichOneHasLeftBelieveTheOneThatDoes(int knowing) {
    List<CommFailures> group = group(3);
    for (CommFailures each : group) {
      each.blameOfNetwork(() -> each.rank() == knowing ? 3 : -1);
      each.suspect(-1, new NetException(ResultCode.REMOTE_ERROR, "the switch closed the group"));
    }
    while (sent.isEmpty()) {
      group.getFirst().settle();
    }
    deliver(group);
    expect(group, ResultCode.REMOTE_ERROR, 3, "the switch closed the group");
  }

  /** A rank that is between two calls has nothing to report, and is not to blame for that. */
  @ParameterizedTest
  @ValueSource(ints = {-1, 2})
  void aLostCollectiveNetworkExplainsTheWaitOfAnotherRank(int awaited) {
    List<CommFailures> group = group(3);
    group.get(0).answerWith(() -> waits(0, awaited));
    group.get(1).suspect(-1, new NetException(ResultCode.REMOTE_ERROR, "the switch is gone"));
    group.get(0).report(waits(0, awaited));
    deliver(group);
    expect(group, ResultCode.REMOTE_ERROR, -1, "the switch is gone");
  }

  @Test
  void aWaitForTheVerdictEndsWithIt() {
    CommFailures failures = group(1).getFirst();
    assertThat(failures.awaitVerdict(1)).isNull();
    failures.report(waits(0, 1));
    assertThat(failures.get()).isNull();
    assertThat(failures.awaitVerdict(1)).hasMessageContaining("rank 0 waits for rank 1");
    Thread.currentThread().interrupt();
    try {
      assertThat(group(1).getFirst().awaitVerdict(Long.MAX_VALUE)).isNull();
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void aRankThatIsNotSetUpYetPassesTheBlameOn() {
    List<CommFailures> group = group(3);
    group.get(0).answerWith(() -> waits(0, 2));
    group.get(1).report(waits(1, 0));
    deliver(group);
    expect(group, ResultCode.TIMEOUT, 2, "rank 0 waits for rank 2");
  }

  @ParameterizedTest
  @EnumSource(
      names = {"SYSTEM_ERROR", "INTERNAL_ERROR", "INVALID_ARGUMENT", "UNHANDLED_CUDA_ERROR"})
  void whatThePluginSaysOfThisProcessIsThisRanksFailureAtOnce(ResultCode result) {
    List<CommFailures> group = group(3);
    group.get(1).suspect(0, new NetException(result, "no descriptors"));
    assertThat(sent).extracting(Notice::rank).containsExactly(1);
    CommException failure = Objects.requireNonNull(group.get(1).get());
    assertThat(failure.result()).isEqualTo(result);
    assertThat(failure.failedRank()).isEqualTo(1);
    assertThat(failure).hasMessageContaining("no descriptors");
  }

  @Test
  void aVerdictListenerThatThrowsDoesNotHideTheFailure() {
    CommFailures failures = group(2).getFirst();
    Error broken = new AssertionError("a bug of the listener");
    failures.onVerdict(verdict -> {
      throw broken;
    });
    CommException cause = new CommException(ResultCode.SYSTEM_ERROR, 0, "x", null);
    failures.fail(cause);
    assertThat(failures.get()).isSameAs(cause);
    assertThat(cause.getSuppressed()).containsExactly(broken);
  }

  @Test
  void whatIsDecidedIsToldAndNobodyIsBlamedAtTheEnd() {
    AtomicLong time = new AtomicLong();
    List<String> announced = new ArrayList<>();
    CommFailures failures = new CommFailures(0, (rank, text) -> announced.add(text), time::get);
    List<CommException> verdicts = new ArrayList<>();
    failures.onVerdict(verdicts::add);
    failures.suspect(1, new NetException(ResultCode.REMOTE_ERROR, "reset"));
    time.set(TimeUnit.SECONDS.toNanos(10));
    failures.tellDecided();
    assertThat(announced).as("of a suspicion").isEmpty();
    assertThat(verdicts).isEmpty();
    failures.notice(2, waits(2, 1).toText());
    announced.clear(); // its answer
    failures.tellDecided();
    assertThat(verdicts).as("while reports are collected").isEmpty();
    time.set(TimeUnit.SECONDS.toNanos(20));
    failures.tellDecided();
    time.set(TimeUnit.SECONDS.toNanos(30));
    failures.tellDecided();
    assertThat(verdicts).hasSize(1);
    assertThat(announced).isEmpty();
  }

  @Test
  void anAnnouncerThatThrowsDoesNotHideTheFailure() {
    RuntimeException broken = new IllegalStateException("no more threads");
    CommFailures failures =
        new CommFailures(
            0,
            (rank, text) -> {
              throw broken;
            });
    CommException cause = new CommException(ResultCode.SYSTEM_ERROR, 0, "x", null);
    failures.fail(cause);
    assertThat(failures.get()).isSameAs(cause);
    assertThat(cause.getSuppressed()).containsExactly(broken);
  }

  /** The other rank only waits; what broke here is why, and only this process has its stack. */
  @Test
  void aCauseOfThisProcessIsKeptThoughAnotherRanksReportWasFaster() {
    CommFailures failures = group(3).getFirst();
    failures.notice(1, waits(1, 2).toText());
    Error cause = new AssertionError("a bug of this process");
    failures.failHere(cause, "a step");
    CommException verdict = decided(failures);
    assertThat(verdict).hasMessageContaining("rank 1 waits for rank 2");
    assertThat(verdict.getSuppressed()).singleElement().returns(cause, Throwable::getCause);
    CommException later = new CommException(ResultCode.SYSTEM_ERROR, 0, "no room", null);
    failures.fail(later);
    assertThat(verdict.getSuppressed()).hasSize(2).contains(later);
  }

  static List<Arguments> hints() {
    return List.of(
        arguments(new IllegalStateException("Already closed"), "(was a buffer freed"),
        arguments(
            new OutOfMemoryError("unable to create native thread: possibly out of memory"),
            "(raise the number of threads that the process may have: ulimit -u, pids.max)"),
        arguments(new OutOfMemoryError("Java heap space"), "Java heap space"),
        arguments(new OutOfMemoryError(), "OutOfMemoryError"),
        arguments(new AssertionError("a bug"), "a bug"));
  }

  @ParameterizedTest
  @MethodSource("hints")
  void aHintFitsWhatWasThrown(Throwable thrown, String end) {
    CommFailures failures = group(1).getFirst();
    failures.failHere(thrown, "a step");
    String message = decided(failures).getMessage();
    assertThat(message).startsWith("rank 0 failed in a step: ").contains(end);
    assertThat(message.indexOf('(')).isEqualTo(end.startsWith("(") ? message.indexOf(end) : -1);
  }

  @Test
  void aFailureIsNotKeptBesideItself() {
    CommFailures failures = group(1).getFirst();
    CommException cause = new CommException(ResultCode.SYSTEM_ERROR, 0, "x", null);
    failures.fail(cause);
    failures.fail(cause);
    failures.fail(new CommException(ResultCode.SYSTEM_ERROR, 0, "made of it", cause));
    failures.onVerdict(verdict -> {
      throw verdict;
    });
    assertThat(cause.getSuppressed()).isEmpty();
  }

  @Test
  void aReportThatCannotBeToldSaysSo() {
    RuntimeException broken = new IllegalStateException("no more threads");
    CommFailures failures =
        new CommFailures(
            0,
            (rank, text) -> {
              throw broken;
            },
            this::now);
    failures.report(waits(0, 1));
    assertThat(decided(failures).getSuppressed())
        .singleElement()
        .returns(broken, Throwable::getCause);
  }

  @Test
  void aMistakeThatComesAgainAndAgainIsNotKeptForEver() {
    CommFailures failures = group(1).getFirst();
    for (int i = 0; i < 1000; i++) {
      failures.fail(new CommException(ResultCode.INTERNAL_ERROR, 1, "junk " + i, null));
    }
    assertThat(decided(failures).getSuppressed()).hasSize(16);
  }

  @Test
  void ranksThatWaitInDifferentCallsOfOneNumberAreToldSo() {
    List<CommFailures> group = group(3);
    for (int r = 0; r < 3; r++) {
      String call = "operation 4, all_reduce of " + (r == 2 ? 3000 : 1000) + " float sum";
      FailureReport report =
          new FailureReport(r, ResultCode.TIMEOUT, (r + 1) % 3, call, "rank " + r + " waits");
      group.get(r).answerWith(() -> report);
    }
    group
        .get(0)
        .report(
            new FailureReport(
                0, ResultCode.TIMEOUT, 1, "operation 4, all_reduce of 1000 float sum", "waits"));
    deliver(group);
    for (CommFailures each : group) {
      CommException failure = decided(each);
      assertThat(failure.result()).isEqualTo(ResultCode.INVALID_USAGE);
      assertThat(failure.failedRank()).isEqualTo(-1);
      assertThat(failure)
          .hasMessageContaining("ranks 0 and 2")
          .hasMessageContaining("1000")
          .hasMessageContaining("3000");
    }
  }

  @Test
  void aClaimSurvivesTheWay() {
    FailureReport report =
        new FailureReport(7, ResultCode.TIMEOUT, -1, "two\nlines [TIMEOUT about rank 2]");
    assertThat(FailureReport.parse(7, "rank 7 reports: " + report.toText())).isEqualTo(report);
    FailureReport inCall =
        new FailureReport(7, ResultCode.TIMEOUT, 3, "operation 9, reduce of 8 int8", "waits");
    assertThat(FailureReport.parse(7, "rank 7 reports: " + inCall.toText())).isEqualTo(inCall);
    FailureReport ended =
        new FailureReport(7, ResultCode.REMOTE_ERROR, 3, true, "operation 9, a gather", "lost");
    assertThat(FailureReport.parse(7, "rank 7 reports: " + ended.toText())).isEqualTo(ended);
    assertThat(FailureReport.parse(7, "the connection to it ended")).isNull();
    assertThat(FailureReport.parse(7, "[NOBODY about rank 1] x")).isNull();
    assertThat(FailureReport.parse(7, "[TIMEOUT about rank -2] x")).isNull();
  }

  /** Such as what a rank could not do because of another one's report. */
  @Test
  void aFailureThatQuotesAReportIsNone() {
    String quote = waits(1, 2).toText();
    assertThat(FailureReport.parse(0, quote)).isNotNull();
    for (String text :
        List.of(
            "rank 0 failed in a step: told: " + quote,
            "rank 0 reports: it gave up: " + quote,
            "it was told that rank 1 reports: " + quote)) {
      assertThat(FailureReport.parse(0, text)).as(text).isNull();
    }
    CommFailures failures = group(3).getLast();
    failures.notice(0, "rank 0 reports: it gave up: " + quote);
    assertThat(failures.get())
        .returns(0, CommException::failedRank)
        .returns(ResultCode.REMOTE_ERROR, CommException::result);
  }

  @Test
  void listenersHearOnceThatItStops() {
    List<CommFailures> group = group(2);
    List<String> heard = new ArrayList<>();
    CommFailures first = group.getFirst();
    first.onStop(() -> heard.add("failed: " + (first.get() != null)));
    Runnable forgotten = () -> heard.add("forgotten");
    first.onStop(forgotten);
    first.forget(forgotten);
    first.fail(new CommException(ResultCode.SYSTEM_ERROR, 0, "no more room", null));
    first.fail(new CommException(ResultCode.SYSTEM_ERROR, 0, "again", null));
    assertThat(heard).containsExactly("failed: true");
    first.onStop(() -> heard.add("late"));
    assertThat(heard).containsExactly("failed: true", "late");
    // Where reports are still collected the failure is not known yet.
    CommFailures other = group.getLast();
    other.onStop(() -> heard.add("reports: " + (other.get() == null)));
    other.report(new FailureReport(1, ResultCode.TIMEOUT, 0, "rank 1 waits"));
    assertThat(heard).containsExactly("failed: true", "late", "reports: true");
  }
}
