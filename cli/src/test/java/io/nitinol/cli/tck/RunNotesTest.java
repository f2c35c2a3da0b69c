// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.tck.Kit;
import io.nitinol.tck.KitListener;
import io.nitinol.tck.KitOptions;
import io.nitinol.tck.KitRun;
import io.nitinol.tck.KitTest;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.KitReport;
import io.nitinol.tck.result.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one process notes another one knows, whatever has ended the first. */
class RunNotesTest {
  private static final PluginUnderTest PLUGIN = PluginUnderTest.of(QuittingNet.class);
  private static final KitOptions OPTIONS =
      KitOptions.quick().withSeed(7).withoutProcesses().only(Set.of("NET-CONN-09", "NET-DEV-01"));

  @TempDir private Path directory;

  private static CaseResult broken(KitTest test) {
    return new CaseResult(
        test.rule(),
        test.name(),
        test.lane().label(),
        Outcome.FAILED,
        Duration.ofMillis(3),
        test.rule(),
        "the process was killed",
        List.of("a", "b"),
        7);
  }

  @Test
  void aTestThatWasBegunIsKnownAndTheOthersAreLeft() throws Exception {
    Path file = directory.resolve("notes");
    NoteWriter writer = new NoteWriter(file);
    writer.process();
    assertThat(RunNotes.read(file).plan()).isNull();
    try (KitRun run = Kit.prepare(PLUGIN, OPTIONS)) {
      List<KitTest> tests = run.tests();
      assertThat(tests).hasSizeGreaterThan(2);
      writer.run(run.report(), tests);
      List<String> told = new ArrayList<>();
      KitListener listener =
          writer.beside(
              new KitListener() {
                @Override
                public void starting(KitTest test, int index, int total) {
                  told.add(index + "/" + total);
                }
              },
              5);
      listener.starting(tests.getFirst(), 0, tests.size());
      assertThat(told).containsExactly("5/" + (5 + tests.size()));
      RunNotes notes = RunNotes.read(file);
      KitReport plan = Objects.requireNonNull(notes.plan());
      assertThat(plan.seed()).isEqualTo(7);
      assertThat(plan.flags()).contains("--no-processes");
      assertThat(plan.cases()).hasSameSizeAs(tests);
      CaseResult current = Objects.requireNonNull(notes.current());
      assertThat(tests.getFirst().isOf(current)).isTrue();
      assertThat(notes.seconds()).isEqualTo(tests.getFirst().seconds());
      assertThat(notes.left(plan)).hasSameSizeAs(tests);
      assertThat(notes.ended()).isFalse();

      Files.writeString(file, "\n{\"result\": {\"rule", StandardOpenOption.APPEND); // killed here
      writer.result(broken(tests.getLast()));
      writer.result(broken(tests.getFirst()));
      writer.exit("who");
      writer.end();
      notes = RunNotes.read(file);
      assertThat(notes.current()).isNull();
      assertThat(notes.exit()).isEqualTo("who");
      assertThat(notes.ended()).isTrue();
      assertThat(notes.left(plan)).hasSize(tests.size() - 2);
      assertThat(notes.report(plan, Duration.ofSeconds(2)).cases())
          .as("in the order of the plan")
          .containsExactly(broken(tests.getFirst()), broken(tests.getLast()));

      writer.asked();
      writer.result(broken(tests.get(1)));
      assertThat(RunNotes.read(file).left(plan))
          .as("what a run finds while it is ended")
          .hasSize(tests.size() - 2);

      writer.process();
      notes = RunNotes.read(file);
      assertThat(notes.exit()).isNull();
      assertThat(notes.ended()).isFalse();
      assertThat(notes.done()).hasSize(2);
    }
  }

  /** The first test found that nothing gets through: what needs messages is not tried again. */
  @Test
  void whatIsLeftKnowsWhatStandsInItsWay() {
    List<CaseResult> before = new ArrayList<>();
    KitOptions options = OPTIONS.only(Set.of("NET-CONN-09", "NET-SEND-01"));
    int all;
    try (KitRun run = Kit.prepare(PLUGIN, options)) {
      all = run.tests().size();
      run.tests().stream()
          .filter(test -> test.rule().equals("NET-CONN-09"))
          .map(RunNotesTest::broken)
          .forEach(before::add);
    }
    try (KitRun rest = Kit.continued(PLUGIN, options, before, Set.of())) {
      assertThat(rest.tests()).hasSize(all - before.size()).isNotEmpty();
      for (KitTest test : rest.tests()) {
        assertThat(rest.execute(test).broken()).as("%s", test).isEqualTo("NET-CONN-09");
      }
    }
  }

  @Test
  void eachLaneHasItsTurn() {
    assertThat(ContainedRun.mostEndsOfALane(1)).isEqualTo(16);
    assertThat(ContainedRun.mostEndsOfALane(6)).isEqualTo(5);
    assertThat(ContainedRun.mostEndsOfALane(40)).isEqualTo(2);
  }
}
