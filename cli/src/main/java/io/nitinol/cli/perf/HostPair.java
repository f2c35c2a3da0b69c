// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.command.CommandVersion;
import io.nitinol.cli.command.ExitStatus;
import io.nitinol.core.CommException;
import io.nitinol.core.Communicator;
import io.nitinol.core.StateDump;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.log.Log;
import io.nitinol.spi.NetException;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.PeerProof;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * This process is one of two ranks, whose hosts a user has told of each other: the server, rank 0,
 * or the client, rank 1. The client's options say what both measure. Both show the table.
 */
final class HostPair {
  /** How many ranks there are. */
  static final int RANKS = 2;

  private static final int SERVER = 0;
  private static final int CLIENT = 1;
  private static final int SECRET_BYTES = 16;

  private final CommandLine command;
  private final PerfOptions options;
  private final PrintWriter err;
  private final Settings settings = Settings.process();

  HostPair(CommandLine command, PerfOptions options) {
    this.command = command;
    this.options = options;
    this.err = command.getErr();
  }

  /** What one rank needs, once it knows what to measure. */
  private record Ready(PerfPlan plan, RankSessions sessions) {}

  /** Waits for the client, measures what it asks for, and returns the exit status. */
  int serve() {
    NetworkCheck.select(); // without a network no client is to come
    StateDump.onSignal(settings, "USR1", Log.process());
    String given = settings.get(CoreVariables.COMM_SECRET);
    String secret =
        given.isEmpty()
            ? HexFormat.of().formatHex(Arrays.copyOf(PeerProof.nonce(), SECRET_BYTES))
            : given;
    try (UniqueId id = UniqueId.listen(options.hosts().port(), secret, settings, Log.process())) {
      invite(id.describe(), given.isEmpty() ? secret : "");
      return rank(id, SERVER, this::serve);
    }
  }

  private void invite(String place, String secret) {
    err.println(
        ErrorText.of(
            "nitinol perf: waiting for the other host, %d s at most (%s). Type there%s:",
            settings.get(CoreVariables.BOOTSTRAP_TIMEOUT),
            CoreVariables.BOOTSTRAP_TIMEOUT,
            secret.isEmpty()
                ? ErrorText.of(", where %s is as here", CoreVariables.COMM_SECRET)
                : ""));
    err.println();
    err.println(
        ErrorText.of(
            "  %snitinol perf %s --connect %s",
            secret.isEmpty() ? "" : CoreVariables.COMM_SECRET + "=" + secret + " ",
            options.collective().label(),
            place));
    err.println();
    err.flush();
  }

  private int serve(Communicator communicator) {
    String version = CommandVersion.nitinol();
    String[] asked = texts(communicator.exchange(text(List.of(version)))[CLIENT]);
    Ready ready = null;
    String refusal = "";
    try {
      ready = ready(asked);
    } catch (ParameterException | CommandFailure | NetException e) {
      refusal = String.valueOf(e.getMessage());
      if (!version.equals(asked[0])) {
        refusal += ErrorText.of(" (the server is nitinol %s, the client %s)", version, asked[0]);
      }
    }
    String plan = ready == null ? "" : describe(ready.plan());
    String[] verdict = texts(communicator.exchange(text(List.of(refusal, plan)))[CLIENT]);
    if (ready == null) {
      throw CommandFailure.usage("what the client asks for is refused: " + refusal);
    }
    if (!verdict[0].isEmpty()) {
      throw CommandFailure.usage("the client does not go on: " + verdict[0]);
    }
    requireSame(plan, verdict[1]);
    PerfReport report =
        new PerfReport(ready.plan(), command.getOut(), options.files(), arguments());
    return run(communicator, ready, report);
  }

  /** Reads the client's options as if they had been given here. */
  private Ready ready(String[] asked) {
    PerfCommand carried = new PerfCommand();
    CommandLine parser = new CommandLine(carried).setExpandAtFiles(false);
    parser.parseArgs(Arrays.copyOfRange(asked, 1, asked.length));
    String foreign = HostPairOptions.notCarried(parser.getParseResult());
    if (foreign != null) {
      throw CommandFailure.usage(foreign + " is for the client's host alone");
    }
    PerfOptions theirs = carried.options();
    String here = options.collective().label();
    if (!theirs.collective().label().equals(here)) {
      throw CommandFailure.usage(
          ErrorText.of(
              "the client measures %s, and this server %s", theirs.collective().label(), here));
    }
    theirs.carried(parser); // sizes of a file that a variable of this host names
    PerfPlan plan = theirs.plan(parser, RANKS);
    theirs.requireMemory(parser, plan, 1, PerfMemory.available());
    return new Ready(plan, RankSessions.of(plan));
  }

  /** Goes to the server, has both measure what the options say, and returns the exit status. */
  int connect(PerfPlan plan, PerfReport report) {
    String secret = settings.get(CoreVariables.COMM_SECRET);
    PerfOptions.require(
        command,
        !secret.isEmpty(),
        ErrorText.of(
            "--connect: %s is not set; type what perf --server shows, which has it",
            CoreVariables.COMM_SECRET));
    StateDump.onSignal(settings, "USR1", Log.process());
    UniqueId id =
        UniqueId.told(options.hosts().place(), "--connect", secret)
            .withNote("is perf --server running there, and is this the port that it shows?");
    Ready ready = new Ready(plan, RankSessions.of(plan));
    List<String> asked = new ArrayList<>(List.of(CommandVersion.nitinol()));
    asked.add(options.collective().label());
    asked.addAll(options.carried(command));
    return rank(id, CLIENT, communicator -> connect(communicator, ready, asked, report));
  }

  private int connect(
      Communicator communicator, Ready ready, List<String> asked, PerfReport report) {
    communicator.exchange(text(asked));
    String plan = describe(ready.plan());
    String[] verdict = texts(communicator.exchange(text(List.of("", plan)))[SERVER]);
    if (!verdict[0].isEmpty()) {
      throw CommandFailure.usage("the server refuses: " + verdict[0]);
    }
    requireSame(verdict[1], plan);
    return run(communicator, ready, report);
  }

  private int run(Communicator communicator, Ready ready, PerfReport report) {
    return new RankJob(ready.plan(), report, err, true).run(communicator, ready.sessions(), -1);
  }

  /** What a rank does once both have met. */
  private interface Part {
    int run(Communicator communicator);
  }

  private static int rank(UniqueId id, int rank, Part part) {
    try (Communicator communicator = Communicator.init(id, RANKS, rank)) {
      try {
        return part.run(communicator);
      } catch (CommException e) {
        if (e.failedRank() == 1 - rank) {
          throw new CommandFailure(
              ExitStatus.RANK_DIED,
              ErrorText.of(
                  "the %s has failed: %s", rank == SERVER ? "client" : "server", e.getMessage()));
        }
        throw e;
      }
    }
  }

  private static void requireSame(String server, String client) {
    if (!server.equals(client)) {
      throw CommandFailure.usage(
          ErrorText.of(
              "the two hosts read the options differently, so their versions may differ: the server"
                  + " has %s, the client %s",
              server, client));
    }
  }

  /** Returns all of a plan that both ranks have to agree on. */
  private static String describe(PerfPlan plan) {
    return String.join(
        " ",
        plan.collective().label(),
        plan.range().toString(),
        plan.types().toString(),
        plan.ops().toString(),
        Integer.toString(plan.root()),
        plan.timing().toString(),
        Integer.toString(plan.checks()),
        Integer.toString(plan.unalign()),
        plan.reporting().toString(),
        String.valueOf(plan.device()),
        plan.mode().toString());
  }

  private List<String> arguments() {
    return command.getCommandSpec().root().commandLine().getParseResult().originalArgs();
  }

  private static byte[] text(List<String> texts) {
    return String.join("\0", texts).getBytes(StandardCharsets.UTF_8);
  }

  private static String[] texts(byte[] encoded) {
    return new String(encoded, StandardCharsets.UTF_8).split("\0", -1);
  }
}
