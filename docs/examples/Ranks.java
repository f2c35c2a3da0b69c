// SPDX-License-Identifier: Apache-2.0
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.launch.RankEnvironment;
import io.nitinol.core.launch.Rendezvous;
import io.nitinol.core.log.Log;
import io.nitinol.spi.config.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Where the examples get their rank from: a launcher, or else threads of this process. */
final class Ranks {
  private Ranks() {}

  /** What one rank does. */
  @FunctionalInterface
  interface Body {
    void run(UniqueId id, int ranks, int rank);
  }

  /**
   * Runs {@code body} as the rank that a launcher says this process is ({@code nitinol run}, mpirun,
   * srun, torchrun). Without a launcher all ranks are threads of this process, as many as {@code
   * args[0]} says.
   */
  static void run(String[] args, Body body) throws ExecutionException, InterruptedException {
    RankEnvironment launched = RankEnvironment.detect(System.getenv());
    if (launched != null) {
      UniqueId id =
          Rendezvous.uniqueId(launched, System.getenv(), Settings.process(), Log.process());
      body.run(id, launched.size(), launched.rank());
      return;
    }
    int ranks = args.length > 0 ? Integer.parseInt(args[0]) : 2;
    UniqueId id = UniqueId.create(Settings.process(), Log.process());
    List<FutureTask<Void>> tasks = new ArrayList<>();
    for (int r = 0; r < ranks; r++) {
      int rank = r;
      FutureTask<Void> task = new FutureTask<>(() -> body.run(id, ranks, rank), null);
      tasks.add(task);
      Thread.ofPlatform().name("rank-" + rank).start(task);
    }
    for (FutureTask<Void> task : tasks) {
      task.get();
    }
  }
}
