// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.samples.memory.MemoryNet;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v6.NetProperties;
import io.nitinol.spi.testing.QuickRows;
import io.nitinol.tck.ForwardingNet;
import io.nitinol.tck.Kit;
import io.nitinol.tck.KitListener;
import io.nitinol.tck.KitOptions;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.report.TableReport;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.KitReport;
import io.nitinol.tck.result.Outcome;
import io.nitinol.tck.wrong.AfterwardsMistakes.CountsARefusedFinalize;
import io.nitinol.tck.wrong.LifeMistakes.LosesCommsBetweenContexts;
import io.nitinol.tck.wrong.LifeMistakes.SendsLessAfterARefusal;
import io.nitinol.tck.wrong.ReceivingMistakes.CutsTags;
import io.nitinol.tck.wrong.ReceivingMistakes.IgnoresTags;
import io.nitinol.tck.wrong.SequenceMistakes.ConfusesTagsOfThreePieces;
import io.nitinol.tck.wrong.SequenceMistakes.LosesAByteAfterThreeRefusals;
import io.nitinol.tck.wrong.SequenceMistakes.LosesACommWhenAThirdCloses;
import io.nitinol.tck.wrong.SequenceMistakes.SharesARequestAmongThreeComms;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What random sequences find in wrong plugins, and how short the sequence in the report is. */
class SequenceCheckTest {
  private static final String ONE = "anySequenceOfCallsKeepsTheContract";
  private static final String SEVERAL = "anySequenceOnSeveralConnectionsKeepsTheContract";

  private static final String LIVES = "anyLifeOfContextsConnectionsAndHandlesKeepsTheContract";

  /** Which rule a run asks for, to make the sequences of a test. */
  private static final Map<String, String> RULES =
      Map.of(ONE, "NET-TEST-02", SEVERAL, "NET-CONN-22", LIVES, "NET-ERR-03");

  private static final Map<String, KitReport> REPORTS = new ConcurrentHashMap<>();

  private static KitReport run(Class<?> wrong, String rule) {
    KitOptions options =
        KitOptions.quick()
            .withSeed(1)
            .withoutProcesses()
            .withPatience(KitOptions.measuredPatience().dividedBy(2))
            .only(Set.of(rule));
    return Kit.run(PluginUnderTest.of(wrong), options, new KitListener() {});
  }

  /** Returns the report of a plugin on its rule; several tests look at one report. */
  private static KitReport once(Class<?> wrong, String rule) {
    return REPORTS.computeIfAbsent(wrong.getSimpleName() + " " + rule, _ -> run(wrong, rule));
  }

  static Stream<Arguments> mistakes() {
    return Stream.of(
        Arguments.of(IgnoresTags.class, ONE, "NET-RECV-09", 3),
        Arguments.of(CutsTags.class, ONE, "NET-RECV-14", 4),
        Arguments.of(LosesAByteAfterThreeRefusals.class, ONE, "NET-SEND-08", 9),
        Arguments.of(ConfusesTagsOfThreePieces.class, SEVERAL, "NET-RECV-14", 3),
        Arguments.of(SharesARequestAmongThreeComms.class, SEVERAL, "NET-TEST-05", 9),
        Arguments.of(LosesACommWhenAThirdCloses.class, SEVERAL, "NET-CONN-22", 8),
        Arguments.of(CountsARefusedFinalize.class, LIVES, "NET-ERR-03", 9),
        Arguments.of(SendsLessAfterARefusal.class, LIVES, "NET-ERR-03", 7),
        Arguments.of(LosesCommsBetweenContexts.class, LIVES, "NET-INIT-08", 9));
  }

  /** The kill table has the others, and the build holds them against their rules there. */
  @ParameterizedTest
  @MethodSource("mistakes")
  @QuickRows({1, 3, 4, 5, 8})
  void aMistakeIsFoundWithItsRuleAndAShortSequence(
      Class<?> wrong, String test, String rule, int most) {
    KitReport report = once(wrong, RULES.get(test));
    List<CaseResult> found =
        report.cases().stream().filter(result -> result.test().equals(test)).toList();
    assertThat(found)
        .isNotEmpty()
        .allSatisfy(result -> {
          assertThat(result.broken()).as(result.why()).isEqualTo(rule);
          assertThat(result.why()).matches(".* of the \\d+ steps of sequence \\d+ do it, .*");
          List<String> steps = steps(result);
          assertThat(steps.size()).as("%s", steps).isBetween(2, most);
          assertThat(steps.getFirst())
              .matches("step 1 of " + steps.size() + ": (c\\d+: |init of ).*");
          assertThat(result.trace())
              .as("the last calls")
              .anyMatch(line -> line.matches(".*\\] (isend|irecv|listen)\\(.*"));
        });
  }

  private static List<String> steps(CaseResult result) {
    return result.trace().stream().filter(line -> line.matches("step \\d+ of .*")).toList();
  }

  /** A right network with room for two connections to itself, as it says. */
  public static final class HasRoomForFourComms extends ForwardingNet {
    private static final int COMMS = 4;
    private final AtomicInteger senders = new AtomicInteger();

    /** Over the reference. */
    public HasRoomForFourComms() {
      super(new MemoryNet());
    }

    @Override
    public NetProperties getProperties(int device) {
      NetProperties all = super.getProperties(device);
      return new NetProperties(
          all.name(),
          all.pciPath(),
          all.guid(),
          all.ptrSupport(),
          all.speed(),
          all.port(),
          all.latency(),
          COMMS,
          all.maxRecvs());
    }

    @Override
    public @Nullable SendComm connect(int device, MemorySegment handle) {
      if (senders.get() >= COMMS / 2) {
        throw new NetException(ResultCode.SYSTEM_ERROR, "no room for another connection");
      }
      SendComm comm = super.connect(device, handle);
      if (comm != null) {
        senders.incrementAndGet();
      }
      return comm;
    }

    @Override
    public void closeSend(SendComm comm) {
      super.closeSend(comm);
      senders.decrementAndGet();
    }
  }

  @Test
  void aSequenceHasNoMoreConnectionsThanThePluginHasRoomFor() {
    KitReport report = run(HasRoomForFourComms.class, "NET-CONN-22");
    assertThat(report.cases().stream().filter(result -> result.test().equals(SEVERAL)))
        .isNotEmpty()
        .allSatisfy(
            result -> assertThat(result.outcome()).as(result.why()).isEqualTo(Outcome.PASSED));
  }

  @Test
  void theReportShowsTheStepsAndTheCommandThatRepeatsThem() {
    KitReport report = once(IgnoresTags.class, "NET-TEST-02");
    List<String> lines = TableReport.lines(report);
    assertThat(lines).anyMatch(line -> line.contains("step 1 of 3: c0: connect through listener"));
    assertThat(lines)
        .anyMatch(line -> line.contains("--rule NET-TEST-02 --lane 'net v6' --seed 1 --quick"));
  }

  @Test
  void theSameSeedGivesTheSameSequence() {
    List<List<String>> both =
        Stream.of(
                once(ConfusesTagsOfThreePieces.class, "NET-CONN-22"),
                run(ConfusesTagsOfThreePieces.class, "NET-CONN-22"))
            .map(report ->
                report.cases().stream()
                    .filter(result -> result.test().equals(SEVERAL))
                    .map(SequenceCheckTest::steps)
                    .findFirst()
                    .orElseThrow())
            .toList();
    assertThat(both.getFirst()).isNotEmpty().isEqualTo(both.getLast());
  }
}
