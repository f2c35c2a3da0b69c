// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.schedule.HostLayout;
import io.nitinol.core.schedule.tree.Tree;
import io.nitinol.core.transport.Transport;
import io.nitinol.core.tuning.ScheduleBook;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.toolkit.ErrorText;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The lines in which one rank tells the log what its communicator has become, in NCCL's words. No
 * line is built where none is written.
 *
 * @param rank this rank, from 0
 */
record SetupLines(DebugLogger logger, int rank) {
  private static final long PATHS = LogSubsystem.INIT.mask() | LogSubsystem.GRAPH.mask();

  /** The most trees in a line: a further line tells the next ones. */
  private static final int TREES = 8;

  /** The children that NCCL shows of each rank, whether there are so many or not. */
  private static final int CHILDREN = 3;

  private static final double NANOS_PER_MILLI = 1e6;

  /** When the parts of a setup ended, on the clock of {@link System#nanoTime}. */
  record Times(long began, long met, long agreed, long connected, long started) {}

  /** Tells the ring of each channel, on rank 0, and this rank's place in the tree of each. */
  void paths(ScheduleBook book, int channels) {
    if (!logger.isEnabled(LogLevel.INFO, PATHS) || book.ring().length == 1) {
      return; // a rank that is alone copies
    }
    if (rank == 0) {
      String order =
          Arrays.stream(book.ring()).mapToObj(Integer::toString).collect(Collectors.joining(" "));
      for (int channel = 0; channel < channels; channel++) {
        path(ErrorText.of("Channel %02d/%02d : %s", channel, channels, order));
      }
    }
    for (int from = 0; from < channels; from += TREES) {
      StringBuilder line = new StringBuilder("Trees");
      for (int channel = from; channel < Math.min(channels, from + TREES); channel++) {
        line.append(ErrorText.of(" [%d] %s", channel, place(book.tree(channel))));
      }
      path(line.toString());
    }
  }

  /** Returns the children, this rank and the one above it, each -1 where there is none. */
  private String place(Tree tree) {
    StringBuilder text = new StringBuilder();
    int[] children = tree.children();
    for (int i = 0; i < Math.max(CHILDREN, children.length); i++) {
      text.append(i == 0 ? "" : "/").append(i < children.length ? children[i] : -1);
    }
    return text.append("->").append(rank).append("->").append(tree.parent()).toString();
  }

  private void path(String text) {
    logger.log(LogLevel.INFO, PATHS, "Communicator", 0, text);
  }

  /** The line for which NCCL's users look; its times follow one another. */
  void complete(
      CommOrigin origin,
      CommAgreement agreed,
      HostLayout layout,
      List<Transport> transports,
      Times times) {
    if (!isEnabled()) {
      return;
    }
    init(
        ErrorText.of(
            "%s commId 0x%x rank %d nranks %d localRank %d localRanks %d%s via %s - Init COMPLETE in"
                + " %.1f ms (meet %.1f, agree %.1f, connect %.1f, start %.1f)",
            origin.call(),
            agreed.number(),
            rank,
            layout.ranks(),
            layout.index(rank),
            layout.size(layout.host(rank)),
            origin.details(),
            String.join(", ", transports.stream().map(Transport::name).toList()),
            millis(times.began(), times.started()),
            millis(times.began(), times.met()),
            millis(times.met(), times.agreed()),
            millis(times.agreed(), times.connected()),
            millis(times.connected(), times.started())));
  }

  private static double millis(long from, long to) {
    return (to - from) / NANOS_PER_MILLI;
  }

  /** Returns whether {@link #init} writes anything. */
  boolean isEnabled() {
    return logger.isEnabled(LogLevel.INFO, LogSubsystem.INIT.mask());
  }

  /** Tells something else about the setup. */
  void init(String text) {
    logger.info(LogSubsystem.INIT, "Communicator", text);
  }
}
