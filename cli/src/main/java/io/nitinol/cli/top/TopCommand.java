// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.top;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.command.ExitStatus;
import io.nitinol.cli.command.UserTerminal;
import io.nitinol.core.live.LiveDirectory;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code nitinol top}: where the communicators of this user's processes stand, again and again. */
@Command(
    name = "top",
    header = "Show what the communicators of this host, or of a whole job, do, live.",
    description = {
      "",
      "Asks all processes of this user on this host that have communicators, and shows for each rank"
          + " what it has done, how fast, which call is under way and whom it waits for. Below a"
          + " communicator that is stuck stands what nitinol diagnose would say. Processes with"
          + " NITINOL_TOP=0 are not seen.",
      "",
      "With --job the other ranks of these communicators are asked too, on whatever host they are."
          + " Give it on a host that has a rank of the job, where that rank runs (in its"
          + " container). From another host --connect names the listener of one rank's bootstrap,"
          + " which its log has at NCCL_DEBUG=INFO. Then the variables say the job's secret:"
          + " NITINOL_COMM_SECRET, with NCCL_COMM_ID where the ranks have that too;"
          + " NITINOL_UNIQUE_ID; or NITINOL_UNIQUE_ID_FILE. Communicators that a split has made have"
          + " secrets of their own: only a look on a host of the job shows them.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  nitinol top                     # this host, once a second, until Ctrl-C",
      "  nitinol top --once --save seen  # and then: nitinol diagnose seen/*",
      "  nitinol top --job               # all hosts of the jobs that have ranks on this one",
      "  nitinol top --job --once        # one look: is it stuck, and where?",
      "  ssh node1 nitinol top --job     # from a host that has no rank, or with the secret:",
      "  NITINOL_COMM_SECRET=... NCCL_COMM_ID=node1:4711 \\",
      "    nitinol top --job --connect node1:40123",
      "  nitinol top --job --json --count 60 >looks.jsonl"
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:the looks that were asked for were taken",
      "2:the processes' sockets cannot be looked for, or --connect leads to no rank of the job",
      "130:ended by Ctrl-C"
    })
public final class TopCommand implements Callable<Integer> {
  private static final double LEAST_SECONDS = 0.1;
  private static final double MOST_SECONDS = 86_400;

  /** To the upper left corner, and what is below the last line and behind each line. */
  private static final String HOME = "\033[H";

  private static final String REST_OF_LINE = "\033[K";
  private static final String REST_OF_SCREEN = "\033[J";
  private static final String CLEAR = "\033[2J";

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      description = "The time from one look to the next, 0.1 or more; 1 if not given.")
  private double interval = 1;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "End after N looks; unset goes on until Ctrl-C.")
  private int count;

  @Option(
      names = "--once",
      description = "Show one look and end. The rates are those of one interval before it.")
  private boolean once;

  @Option(
      names = "--job",
      description = "Ask the ranks of these communicators on all other hosts, too.")
  private boolean wholeJob;

  @Option(
      names = JobEntrance.OPTION,
      paramLabel = "HOST:PORT",
      description =
          "With --job: ask the ranks of the job one of whose ranks listens there, and no process of"
              + " this host.")
  private @Nullable String connect;

  @Option(names = "--json", description = "Print one JSON object a line for each look.")
  private boolean json;

  @Option(
      names = "--save",
      paramLabel = "DIR",
      description =
          "With --once or --count: write a file for each rank of this host to DIR at the end, for"
              + " nitinol diagnose, with its last operations. With --job, too, only ranks of this"
              + " host are saved. Other files in DIR stay, those of an earlier save too: take a new"
              + " directory for each.")
  private @Nullable Path save;

  /** Made by picocli. */
  public TopCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    if (!(interval >= LEAST_SECONDS && interval <= MOST_SECONDS)) {
      throw CommandFailure.usage(
          ErrorText.of("--interval is %s; expected 0.1 to 86400 seconds", interval));
    }
    if (count < 0
        || (count == 0 && spec.commandLine().getParseResult().hasMatchedOption("--count"))) {
      throw CommandFailure.usage(ErrorText.of("--count is %d; expected 1 or more", count));
    }
    String place = connect;
    if (place != null && !wholeJob) {
      throw CommandFailure.usage(
          ErrorText.of("%s %s is given without --job; expected both", JobEntrance.OPTION, place));
    }
    LiveDirectory directory = place == null ? LiveDirectory.ofUser() : null;
    JobMembers job =
        wholeJob
            ? new JobMembers(place == null ? null : JobEntrance.of(place, Settings.process()))
            : null;
    if (save != null && (directory == null || (count == 0 && !once))) {
      throw CommandFailure.usage(
          ErrorText.of(
              "--save %s is given %s",
              save,
              directory == null
                  ? "with --connect; expected a look at the processes of this host"
                  : "without --once and --count; expected one of them"));
    }
    RankHistory history = new RankHistory();
    boolean terminal = !json && UserTerminal.isThere();
    int most = once ? 1 : count;
    if (most == 1) {
      history.take(LiveLook.take(directory, job));
      pause();
    }
    for (int shown = 1; ; shown++) {
      LiveLook look = LiveLook.take(directory, job);
      Map<LiveRank.Key, RankHistory.Progress> progress = history.take(look);
      show(look, CommunicatorView.of(look, progress), terminal, shown == 1);
      if (shown == most) {
        save(directory);
        return ExitStatus.OK;
      }
      pause();
    }
  }

  private void save(@Nullable LiveDirectory directory) throws InterruptedException {
    Path into = save;
    if (into == null || directory == null) {
      return;
    }
    try {
      PrintWriter told = json ? spec.commandLine().getErr() : spec.commandLine().getOut();
      SavedHistory.save(directory, into).forEach(told::println);
      if (wholeJob) {
        told.println("ranks of other hosts are not saved; give the command with --save there, too");
      }
      told.flush();
    } catch (IOException e) {
      throw CommandFailure.usage(ErrorText.of("--save %s: %s", into, ErrorText.reason(e)));
    }
  }

  private void pause() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(Math.round(interval * TimeUnit.SECONDS.toMillis(1)));
  }

  private void show(LiveLook look, List<CommunicatorView> views, boolean terminal, boolean first) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      long micros = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
      out.println(TopJson.line(micros, look, views));
    } else {
      String title =
          (wholeJob ? "nitinol top --job, " : "nitinol top, ")
              + LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS);
      List<String> lines = new TopText(terminal).lines(title, look, views);
      if (terminal && !once) {
        out.print(first ? HOME + CLEAR : HOME);
        lines.forEach(line -> out.print(line + REST_OF_LINE + System.lineSeparator()));
        out.print(REST_OF_SCREEN);
      } else {
        lines.forEach(out::println);
        out.println();
      }
    }
    out.flush();
    if (System.out.checkError()) {
      throw new CommandFailure(ExitStatus.READER_GONE, "stdout cannot be written");
    }
  }
}
