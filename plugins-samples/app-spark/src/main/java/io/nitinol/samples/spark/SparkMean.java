// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.spark;

import io.nitinol.core.Communicator;
import io.nitinol.spi.ReductionOp;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;

/** The mean of a million numbers by the ranks of a barrier stage, each of which learns it. */
public final class SparkMean {
  private SparkMean() {}

  /** Takes the number of ranks; 4 without it. */
  public static void main(String[] args) {
    int ranks = args.length == 0 ? 4 : Integer.parseInt(args[0]);
    List<Integer> numbers = IntStream.rangeClosed(1, 1_000_000).boxed().toList();
    try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("mean"))) {
      JavaRDD<Integer> parts = spark.parallelize(numbers, ranks);
      // The shuffle behind it makes a stage of it that Spark runs again after a failure.
      SparkRanks.mapPartitions(parts, SparkMean::mean)
          .repartition(1)
          .collect()
          .forEach(System.out::println);
    }
  }

  private static Iterator<String> mean(Iterator<Integer> part) {
    Communicator communicator = SparkRanks.communicator(BarrierTaskContext.get());
    double[] sumAndCount = new double[2];
    while (part.hasNext()) {
      sumAndCount[0] += part.next();
      sumAndCount[1]++;
    }
    communicator.blocking().allReduce(sumAndCount, ReductionOp.SUM);
    String line =
        "rank "
            + communicator.rank()
            + " of "
            + communicator.size()
            + ": the mean is "
            + sumAndCount[0] / sumAndCount[1];
    return List.of(line).iterator();
  }
}
