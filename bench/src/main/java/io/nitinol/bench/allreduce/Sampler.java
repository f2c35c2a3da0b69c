// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.allreduce;

import java.io.IOException;
import java.util.ArrayList;
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

  private final Scenario scenario;
  private final Sides sides;
  private final int rounds;
  private final long sampleNanos;
  private final long warmupNanos;
  private final long sizeNanos;
  private boolean cold = true;

  /**
   * Creates a sampler.
   *
   * @param warmupNanos how long each side runs each size before it is timed; four times as long for
   *     the first size
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
   * Measures a size.
   *
   * @throws Job.JobFailure when a result is wrong or a rank has failed
   */
  Row measure(long bytes) throws IOException, InterruptedException, Job.JobFailure {
    List<Job> jobs = sides.all();
    double fastest = Double.MAX_VALUE;
    double slowest = 0;
    for (Job job : jobs) {
      double each = warmUp(job, bytes, cold ? 4 * warmupNanos : warmupNanos);
      fastest = Math.min(fastest, each);
      slowest = Math.max(slowest, each);
    }
    cold = false;
    double affordable = Math.min(sampleNanos / fastest, SPREAD * sampleNanos / slowest);
    long iterations = Math.max(FEWEST_ITERATIONS, (long) affordable);
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
    Map<Mpi, Samples> theirs = new EnumMap<>(Mpi.class);
    int side = 1;
    for (Mpi mpi : sides.theirs().keySet()) {
      theirs.put(mpi, new Samples(samples.get(side++)));
    }
    return new Row(scenario, bytes, iterations, new Samples(samples.getFirst()), theirs);
  }

  /** Runs for a while and returns the nanoseconds that an all-reduce took at best. */
  private static double warmUp(Job job, long bytes, long nanos)
      throws IOException, InterruptedException, Job.JobFailure {
    long start = System.nanoTime();
    long count = 1;
    double least = Double.MAX_VALUE;
    do {
      least = Math.min(least, job.run(bytes, 0, count, false));
      count = Math.clamp((long) (nanos / 4.0 / least), 1, count * 10);
    } while (System.nanoTime() - start < nanos);
    return least;
  }
}
