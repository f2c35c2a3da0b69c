// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos;

import io.nitinol.core.launch.JvmCommand;
import io.nitinol.guest.Guest;
import io.nitinol.guest.GuestCommand;
import io.nitinol.guest.GuestResult;
import io.nitinol.guest.GuestRun;
import io.nitinol.guest.GuestUnavailable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Rounds over RDMA devices, which this machine does not have: the same program runs in a guest with
 * two devices of Soft-RoCE.
 */
final class GuestRounds {
  private static final int MTU = 4200;
  private static final Duration START = Duration.ofMinutes(5);
  private static final Duration ROUND = Duration.ofMinutes(2);

  /** What {@link ChaosPace#measure} takes on the idle machine that these limits are made for. */
  private static final long IDLE_MILLIS = 600;

  /** Beyond that many times longer, waiting helps nobody. */
  private static final int MOST = 12;

  private static final String COMMAND = "rounds";

  private GuestRounds() {}

  /**
   * Runs them, and prints what the program in the guest has printed once that has ended.
   *
   * @param directory for logs and for what the guest leaves
   * @param rounds how many there are
   * @param arguments those of the program in the guest, but for the pace
   * @return the exit status of that program
   * @throws GuestUnavailable when this machine cannot have a guest
   */
  static int run(PrintStream out, Path directory, int rounds, List<String> arguments)
      throws IOException, InterruptedException, GuestUnavailable {
    Guest guest = Guest.prepare().withMoreMemory();
    List<String> all = new ArrayList<>(arguments);
    long here = ChaosPace.measure(directory);
    all.addAll(List.of("--pace", Long.toString(here)));
    Path shared = directory.resolve("guest");
    out.printf(
        "%d rounds in a guest with Soft-RoCE; until it ends, what they print is in %s%n",
        rounds, shared.resolve(COMMAND).resolve("out"));
    Duration usual = START.plus(ROUND.multipliedBy(rounds));
    ChaosPace pace = ChaosPace.of(Math.min(here, MOST * IDLE_MILLIS), IDLE_MILLIS);
    Duration limit = Duration.ofSeconds(pace.seconds((int) usual.toSeconds()));
    GuestCommand command =
        new GuestCommand(
            COMMAND,
            JvmCommand.ofThisProcess()
                .withoutAgents()
                // Of what it writes, only this directory outlives the guest.
                .with(List.of("-Xmx128m", "-Djava.io.tmpdir=/out/" + COMMAND))
                .run(Chaos.class, all),
            Map.of(),
            limit);
    GuestRun run = guest.run(shared, MTU, limit, List.of(command));
    out.println("guest: " + run.summary());
    GuestResult result = run.result(COMMAND);
    out.print(result.out());
    if (result.status() != 0) {
      out.print(result.err());
    }
    return run.crashes().isEmpty() ? result.status() : 1;
  }
}
