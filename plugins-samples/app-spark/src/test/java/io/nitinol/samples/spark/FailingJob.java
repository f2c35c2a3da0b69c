// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.spark;

import io.nitinol.core.CommException;
import io.nitinol.core.Communicator;
import io.nitinol.spi.ReductionOp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.StageInfo;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Jobs whose ranks add up real numbers in rounds. Rank 2 fails in the first attempt, in each job in
 * another way.
 */
public final class FailingJob {
  static final int RANKS = 4;
  static final int LOST = 2;

  /** The status with which an executor ends in the middle of the rounds. */
  static final int HALTS = 7;

  /** The status with which an executor ends before the others have met it. */
  static final int HALTS_EARLY = 8;

  private static final String THROWN = "rank 2 does not like round 10";

  private static final int ROUNDS = 20;
  private static final int COUNT = 100_000;

  /** The last sum of the last round. */
  static final double LAST = (1 + 2 + 3 + 4) * (COUNT - 1 + ROUNDS - 1 + 0.25);

  private FailingJob() {}

  /** Takes the directory for the ranks' notes, and a job for each way: halt, early, throw. */
  public static void main(String[] args) {
    List<Integer> ranks = IntStream.range(0, RANKS).boxed().toList();
    try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("failing"))) {
      spark.sc().addSparkListener(new Told());
      for (String how : Arrays.asList(args).subList(1, args.length)) {
        String notes = Path.of(args[0], how).toString();
        spark.setJobDescription(how);
        SparkRanks.mapPartitions(
                spark.parallelize(ranks, RANKS), part -> rounds(Path.of(notes), how))
            .repartition(1)
            .collect()
            .forEach(line -> System.out.println(how + ": " + line));
      }
    }
  }

  /** Prints what Spark knows of attempts and executors. */
  private static final class Told extends SparkListener {
    private final Map<Integer, String> jobs = new HashMap<>(); // by stage

    @Override
    public void onJobStart(SparkListenerJobStart start) {
      String how = start.properties().getProperty("spark.job.description");
      for (StageInfo stage : CollectionConverters.asJava(start.stageInfos())) {
        jobs.put(stage.stageId(), how);
      }
    }

    @Override
    public void onStageCompleted(SparkListenerStageCompleted completed) {
      StageInfo stage = completed.stageInfo();
      if (stage.failureReason().isDefined()) {
        String reason = stage.failureReason().get().lines().findFirst().orElse("");
        System.out.printf(
            "%s: attempt %d failed: %s%n",
            jobs.get(stage.stageId()), stage.attemptNumber(), reason);
      }
    }

    @Override
    public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
      System.out.printf("executor %s removed: %s%n", removed.executorId(), removed.reason());
    }
  }

  private static Iterator<String> rounds(Path notes, String how) throws IOException {
    BarrierTaskContext context = BarrierTaskContext.get();
    int attempt = context.stageAttemptNumber();
    boolean fails = attempt == 0 && context.partitionId() == LOST;
    String name = "-of-rank-" + context.partitionId() + "-in-attempt-" + attempt;
    Files.writeString(notes.resolve("process" + name), ProcessHandle.current().pid() + "");
    if (fails && how.equals("early")) {
      context.allGather(""); // takes the place of the exchange of the id: the others wait for it
      Runtime.getRuntime().halt(HALTS_EARLY);
    }
    try {
      Communicator communicator = SparkRanks.communicator(context);
      double last = 0;
      for (int round = 0; round < ROUNDS; round++) {
        if (fails && round == ROUNDS / 2) {
          if (how.equals("halt")) {
            Runtime.getRuntime().halt(HALTS);
          }
          throw new IllegalStateException(THROWN);
        }
        last = sum(communicator, round);
      }
      String line =
          "rank %d of %d in attempt %d: %s"
              .formatted(communicator.rank(), communicator.size(), attempt, last);
      return List.of(line).iterator();
    } catch (CommException e) {
      Files.writeString(notes.resolve("failure" + name), e.toString());
      throw e;
    }
  }

  /** Adds up an array whose sums are exact, and returns the last of them. */
  private static double sum(Communicator communicator, int round) {
    double[] values = new double[COUNT];
    for (int i = 0; i < COUNT; i++) {
      values[i] = (communicator.rank() + 1) * (i + round + 0.25);
    }
    communicator.blocking().allReduce(values, ReductionOp.SUM);
    for (int i = 0; i < COUNT; i++) {
      double wanted = (1 + 2 + 3 + 4) * (i + round + 0.25);
      if (values[i] != wanted) {
        throw new IllegalStateException(
            "round %d, sum %d: %s instead of %s".formatted(round, i, values[i], wanted));
      }
    }
    return values[COUNT - 1];
  }
}
