// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The ranks of the command write their state on SIGUSR1, without any setting, and go on. */
class StateSignalTest {
  private static final long POLL_MILLIS = 200;

  @Test
  void ranksOfPerfTellTheirState() throws Exception {
    String words = "perf all_reduce -n 2 -b 4M -e 4M -w 0 --iters 1000000";
    try (CommandProcess perf = CommandProcess.start(words.split(" "))) {
      perf.awaitLine("#  Rank +1 ");
      List<ProcessHandle> ranks = perf.awaitChildren(2);
      for (ProcessHandle rank : ranks) {
        askUntil(perf, ranks, "Nitinol, process " + rank.pid() + ": 1 communicator(s)");
      }
      askUntil(perf, ranks, "all_reduce of 1048576 float sum"); // not yet, at the first time
      assertThat(ranks).allMatch(ProcessHandle::isAlive);
    }
  }

  @Test
  void theProcessThatWasStartedHandsTheSignalOn() throws Exception {
    String words = "perf all_reduce -n 2 --threads -b 4M -e 4M -w 0 --iters 1000000";
    try (CommandProcess perf = CommandProcess.start(words.split(" "))) {
      perf.awaitLine("#  Rank +1 ");
      askUntil(perf, List.of(perf.handle()), "2 communicator(s)");
      assertThat(perf.handle().isAlive()).isTrue();
    }
  }

  private static void askUntil(CommandProcess perf, List<ProcessHandle> ranks, String text)
      throws IOException, InterruptedException {
    while (!perf.err().contains(text)) {
      assertThat(ranks).as("waited for %s: %s", text, perf).allMatch(ProcessHandle::isAlive);
      for (ProcessHandle rank : ranks) {
        signal(rank.pid());
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
  }

  private static void signal(long pid) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-USR1", Long.toString(pid)).start();
    assertThat(kill.waitFor()).isZero();
  }
}
