// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.nitinol.tck.run.MachinePace;
import io.nitinol.tck.spec.Spec;
import io.nitinol.tck.spec.SpecRule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** Guests for tests, whose reports are kept below {@code target}. */
final class Guests {
  private static final Path REPORTS = Path.of("target", "guest");

  private Guests() {}

  /**
   * Runs commands in a guest, as {@link Guest#run} does. If this machine cannot have a guest, the
   * test is skipped, with the reason on standard error.
   *
   * @param test whose reports these are
   * @param name which of its runs this is
   * @param limit on an idle machine, as those of the commands
   */
  static GuestRun run(
      Class<?> test, String name, int mtu, Duration limit, List<GuestCommand> commands)
      throws Exception {
    return run(prepare(), test, name, mtu, limit, commands);
  }

  private static GuestRun run(
      Guest guest, Class<?> test, String name, int mtu, Duration limit, List<GuestCommand> commands)
      throws Exception {
    // A guest is given more time when the machine has become busier. Its commands cannot be, so
    // theirs is the longest at once.
    List<GuestCommand> patient =
        commands.stream().map(each -> each.withLimit(MachinePace.most(each.limit()))).toList();
    GuestRun run =
        guest
            .atPace(usual -> MachinePace.measure().of(usual))
            .run(directory(test).resolve(name), mtu, limit, patient);
    System.err.printf("%s, %s: %s%n", test.getSimpleName(), name, run.summary());
    return run;
  }

  /** Returns where the reports of a test's runs are. */
  static Path directory(Class<?> test) {
    return REPORTS.resolve(test.getSimpleName());
  }

  /** As {@link #run}, and requires that neither a JVM nor the kernel crashed in the last run. */
  static GuestRun runWithoutCrash(
      Class<?> test, String name, int mtu, Duration limit, List<GuestCommand> commands)
      throws Exception {
    return withoutCrash(run(test, name, mtu, limit, commands));
  }

  /** Returns the ids of the rules of a network plugin that the kit has tests of, but for some. */
  static List<String> rules(Predicate<String> leftOut) {
    return Spec.current().rules().stream()
        .filter(rule -> rule.binds().equals("plugin") && rule.isTestable())
        .map(SpecRule::id)
        .filter(id -> id.startsWith("NET-") && !leftOut.test(id))
        .toList();
  }

  /** As {@link #run}, for the whole kit, which maps a file of a gigabyte. */
  static GuestRun runKit(
      Class<?> test, String name, int mtu, Duration limit, List<GuestCommand> commands)
      throws Exception {
    return run(prepare().withMoreMemory(), test, name, mtu, limit, commands);
  }

  /** Returns the run after checking that neither a JVM nor the kernel has crashed in it. */
  static GuestRun withoutCrash(GuestRun run) {
    assertThat(run.crashes()).as("what crashed").isEmpty();
    return run;
  }

  private static Guest prepare() throws Exception {
    try {
      return Guest.prepare();
    } catch (GuestUnavailable e) {
      String reason = "no guest on this machine: " + e.getMessage();
      System.err.println(reason);
      return abort(reason);
    }
  }
}
