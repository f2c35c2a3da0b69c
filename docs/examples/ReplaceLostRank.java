// SPDX-License-Identifier: Apache-2.0
import io.nitinol.core.CommException;
import io.nitinol.core.Communicator;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.spi.ReductionOp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The process of a rank dies; the others start a new one in its place, and all go on. */
final class ReplaceLostRank {
  private static final String NEW = "new";
  private static final int STEPS = 20;

  /** Takes the rank whose process dies; the process that comes for it is told so. */
  public static void main(String[] args) {
    Communicator ranks = Communicator.fromEnvironment();
    int size = ranks.size();
    boolean isNew = args[0].equals(NEW);
    int dying = isNew ? -1 : Integer.parseInt(args[0]);
    long[] state = {0, 0}; // what a model is elsewhere: steps so far, and what they have added up
    while (state[0] < STEPS) {
      try {
        // Ranks may have been at different steps, and a new one knows of none. Rank 0 is never new.
        ranks.blocking().broadcast(state, 0);
        while (state[0] < STEPS) {
          if (state[0] == STEPS / 2 && ranks.rank() == dying) {
            Runtime.getRuntime().halt(0);
          }
          long[] sum = {ranks.rank()};
          ranks.blocking().allReduce(sum, ReductionOp.SUM);
          state[0]++;
          state[1] += sum[0];
        }
      } catch (CommException e) {
        dying = -1;
        try (Communicator failed = ranks;
            Communicator left = failed.shrink(e.failedRank())) {
          ranks = left.grow(size, id -> start(id, size - 1, size));
        }
      }
    }
    String origin = isNew ? ", a new process" : "";
    System.out.println(
        "rank %d of %d%s: %d steps add up to %d"
            .formatted(ranks.rank(), size, origin, STEPS, state[1]));
    ranks.close();
  }

  /** Starts this program once more, where a cluster would be asked for another process. */
  private static void start(UniqueId id, int rank, int size) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(ReplaceLostRank.class.getName(), NEW));
    ProcessBuilder process = new ProcessBuilder(command).inheritIO();
    process.environment().put("NITINOL_UNIQUE_ID", id.toString()); // before NCCL_COMM_ID
    process.environment().put("NITINOL_RANK", Integer.toString(rank));
    process.environment().put("NITINOL_SIZE", Integer.toString(size));
    try {
      process.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // fails the grow on all ranks
    }
  }
}
