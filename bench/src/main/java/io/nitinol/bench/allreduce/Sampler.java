// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.allreduce;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Takes the samples of one case by turns, size after size. */
final class Sampler {
  private static final long FEWEST_ITERATIONS = 3;

  /** How much longer than a sample of the fastest side one of the slowest may take. */
  private static final int SPREAD = 8;

  /** Results that are larger are checked in the first and the last round only. */
  private static final long CHECK_ALWAYS = 1 << 20;

  /** How many runs the time of a warm-up is for, and how often that time it may take at most. */
  private static final int WARMUP_RUNS = 4;

  private static final int PATIENCE = 10;

  /** How many runs in a row must be no faster, and what counts as faster. */
  private static final int STEADY_RUNS = 4;

  private static final double FASTER = 0.9;

  /** How often the number of calls in a sample is corrected. */
  private static final int MOST_ESTIMATES = 4;

  private final Scenario scenario;
  private final Sides sides;
  private final int rounds;
  private final long sampleNanos;
  private final long warmupNanos;
  private final long sizeNanos;

  /**
   * Creates a sampler.
   *
   * @param warmupNanos how long each side runs each size before any is timed, four times as long
   *     for the first, and once more right before it is timed
   * @param sizeNanos when that time is over no further round of a size begins
   */
  Sampler(
      Scenario scenario,
      Sides sides,
      int rounds,
      long sampleNanos,
      long warmupNanos,
      long sizeNanos) {
    this.scenario = scenario;
    this.sides = sides;
    this.rounds = rounds;
    this.sampleNanos = sampleNanos;
    this.warmupNanos = warmupNanos;
    this.sizeNanos = sizeNanos;
  }

  /**
   * Runs all sizes on all sides. A size that is met for the first time makes a JVM compile again,
   * which would fall into the samples of the sizes before it.
   */
  void warmUp(List<Long> sizes) throws IOException, InterruptedException, AllReduceJob.JobFailure {
    long nanos = 4 * warmupNanos;
    for (long bytes : sizes) {
      for (AllReduceJob job : sides.all()) {
        warmUp(job, bytes, nanos);
      }
      nanos = warmupNanos;
    }
  }

  /**
   * Measures a size.
   *
   * @throws AllReduceJob.JobFailure when a result is wrong or a rank has failed
   */
  AllReduceRow measure(long bytes)
      throws IOException, InterruptedException, AllReduceJob.JobFailure {
    List<Double> estimates = new ArrayList<>();
    boolean steady = true;
    for (AllReduceJob job : sides.all()) {
      Warmth found = warmUp(job, bytes, warmupNanos);
      estimates.add(found.least());
      steady &= found.steady();
    }
    long iterations = affordable(estimates);
    List<Samples> samples = sample(bytes, iterations);
    // On a busy machine a JVM may have warmed up but now; such samples are too short to keep.
    for (int i = 0; i < MOST_ESTIMATES && affordable(medians(samples)) > 2 * iterations; i++) {
      iterations = affordable(medians(samples));
      samples = sample(bytes, iterations);
    }
    Map<Mpi, Samples> theirs = new EnumMap<>(Mpi.class);
    int side = 1;
    for (Mpi mpi : sides.theirs().keySet()) {
      theirs.put(mpi, samples.get(side++));
    }
    return new AllReduceRow(scenario, bytes, iterations, samples.getFirst(), theirs, steady);
  }

  private static List<Double> medians(List<Samples> samples) {
    return samples.stream().map(Samples::median).toList();
  }

  /** Returns how many calls a sample has, given what one takes on each side. */
  private long affordable(List<Double> nanos) {
    double fastest = Collections.min(nanos);
    double slowest = Collections.max(nanos);
    double affordable = Math.min(sampleNanos / fastest, SPREAD * sampleNanos / slowest);
    return Math.max(FEWEST_ITERATIONS, (long) affordable);
  }

  /** Runs all sides by turns, the first to run being the last of the next round. */
  private List<Samples> sample(long bytes, long iterations)
      throws IOException, InterruptedException, AllReduceJob.JobFailure {
    List<AllReduceJob> jobs = sides.all();
    List<List<Double>> samples = new ArrayList<>();
    jobs.forEach(job -> samples.add(new ArrayList<>()));
    long start = System.nanoTime();
    int taken = 0;
    while (taken < rounds && (taken == 0 || System.nanoTime() - start < sizeNanos)) {
      boolean check = bytes <= CHECK_ALWAYS || taken == 0 || taken == rounds - 1;
      for (int i = 0; i < jobs.size(); i++) {
        int side = taken % 2 == 0 ? i : jobs.size() - 1 - i;
        samples.get(side).add(jobs.get(side).run(bytes, 1 + iterations / 10, iterations, check));
      }
      taken++;
    }
    return samples.stream().map(Samples::new).toList();
  }

  /**
   * What a warm-up has found.
   *
   * @param least nanoseconds that an all-reduce took at best
   * @param steady whether it had stopped to get faster
   */
  record Warmth(double least, boolean steady) {}

  /**
   * Runs for a while. The first calls may take a thousand times as long as later ones, and a JVM
   * compiles in stages; so it goes on until several runs of many are no faster than one before, or
   * its patience ends.
   */
  static Warmth warmUp(AllReduceJob job, long bytes, long nanos)
      throws IOException, InterruptedException, AllReduceJob.JobFailure {
    long start = System.nanoTime();
    double least = Double.MAX_VALUE;
    long count = 1;
    int noFaster = 0;
    long passed;
    do {
      double each = job.run(bytes, 0, count, false);
      boolean many = count * each * WARMUP_RUNS * 4 >= nanos;
      noFaster = each < FASTER * least ? 0 : many ? noFaster + 1 : noFaster;
      least = Math.min(least, each);
      count = Math.clamp((long) (nanos / each / WARMUP_RUNS), 1, count * 10);
      passed = System.nanoTime() - start;
    } while (passed < nanos || (noFaster < STEADY_RUNS && passed < PATIENCE * nanos));
    return new Warmth(least, noFaster >= STEADY_RUNS);
  }
}
