// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.gpu;

import io.nitinol.bench.allreduce.AllReduceJob;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Takes the samples of a case by turns, row after row. */
final class GpuSampler {
  private static final long KIB = 1024;

  /** Operations in a graph, of few bytes and of many. */
  private static final long NODES = 100;

  private static final long FEW_NODES = 20;
  private static final long FEW_BYTES = 64 * KIB;

  private static final long MOST_OPERATIONS = 20_000;
  private static final long FEWEST_OPERATIONS = 4;

  /** From so many nanoseconds on an operation is slow: one estimate and two operations do. */
  private static final double SLOW = 50e6;

  /** How much longer than a sample of the faster side one of the slower may take. */
  private static final int SPREAD = 8;

  private static final int WARMUP_OPERATIONS = 2000;
  private static final int WARMUPS = 3;

  /** Between hosts, where the JVM also moves the data: operations of many bytes. */
  private static final int LARGE_WARMUP_OPERATIONS = 300;

  private static final long LARGE_WARMUP_BYTES = 1024 * KIB;

  private final GpuCase where;
  private final GpuSides sides;
  private final int rounds;
  private final long sampleNanos;
  private final long lagMicros;

  GpuSampler(GpuCase where, GpuSides sides, int rounds, long sampleNanos, long lagMicros) {
    this.where = where;
    this.sides = sides;
    this.rounds = rounds;
    this.sampleNanos = sampleNanos;
    this.lagMicros = lagMicros;
  }

  /** Runs an operation often, so that our JVM has compiled what launches it and moves its data. */
  void warmUp(GpuOperation operation)
      throws IOException, InterruptedException, AllReduceJob.JobFailure {
    for (AllReduceJob job : sides.all()) {
      for (int i = 0; i < WARMUPS; i++) {
        run(job, command(operation, KIB, false, WARMUP_OPERATIONS, 1, 1, false));
        if (where.mode() == GpuCase.Mode.HOSTS) {
          long operations = LARGE_WARMUP_OPERATIONS;
          run(job, command(operation, LARGE_WARMUP_BYTES, false, operations, 1, 1, false));
        }
      }
    }
  }

  /**
   * Measures a row.
   *
   * @throws AllReduceJob.JobFailure when a side cannot go on; a wrong result is in the row
   */
  GpuRow measure(GpuOperation operation, long bytes, boolean graph)
      throws IOException, InterruptedException, AllReduceJob.JobFailure {
    List<AllReduceJob> jobs = sides.all();
    long nodes = !graph ? 1 : bytes <= FEW_BYTES ? NODES : FEW_NODES;
    List<Double> estimates = new ArrayList<>();
    for (AllReduceJob job : jobs) {
      double estimate = run(job, command(operation, bytes, graph, nodes, 1, 1, false));
      if (estimate < SLOW) {
        String again = command(operation, bytes, graph, nodes, graph ? 2 : 5, 1, false);
        estimate = run(job, again);
      }
      estimates.add(estimate);
    }
    double fastest = Collections.min(estimates);
    double slowest = Collections.max(estimates);
    double affordable = Math.min(sampleNanos / fastest, SPREAD * sampleNanos / slowest);
    long fewest = slowest < SLOW ? FEWEST_OPERATIONS : 2;
    long operations = Math.clamp((long) affordable, fewest, MOST_OPERATIONS);
    long launches = Math.max(1, operations / nodes);
    String sample =
        command(operation, bytes, graph, nodes, launches, 1 + launches / 10, false, lagMicros);
    List<List<Double>> samples = new ArrayList<>();
    jobs.forEach(job -> samples.add(new ArrayList<>()));
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < jobs.size(); i++) {
        int side = round % 2 == 0 ? i : jobs.size() - 1 - i;
        samples.get(side).add(run(jobs.get(side), sample));
      }
    }
    List<String> wrong = new ArrayList<>();
    for (int side = 0; side < jobs.size(); side++) {
      for (String answer :
          answers(jobs.get(side), command(operation, bytes, graph, nodes, 1, 0, true))) {
        if (!answer.startsWith("ok ")) {
          wrong.add((side == 0 ? "ours: " : "NCCL: ") + answer);
        }
      }
    }
    return new GpuRow(
        where,
        operation,
        operation.size(operation.count(bytes, where.ranks()), where.ranks()),
        graph,
        launches * nodes,
        jobs.size() > 1 ? samples.get(1) : List.of(),
        samples.getFirst(),
        String.join("; ", wrong));
  }

  private static String command(
      GpuOperation operation,
      long bytes,
      boolean graph,
      long operations,
      long launches,
      long warmup,
      boolean check) {
    return command(operation, bytes, graph, operations, launches, warmup, check, 0);
  }

  private static String command(
      GpuOperation operation,
      long bytes,
      boolean graph,
      long operations,
      long launches,
      long warmup,
      boolean check,
      long lagMicros) {
    return String.format(
        Locale.ROOT,
        "run %s %d %s %d %d %d %d %d",
        operation.label(),
        bytes,
        graph ? "graph" : "plain",
        operations,
        launches,
        warmup,
        check ? 1 : 0,
        lagMicros);
  }

  /** Returns the answers of all processes, none of which is a failure. */
  private static List<String> answers(AllReduceJob job, String command)
      throws IOException, InterruptedException, AllReduceJob.JobFailure {
    List<String> answers = job.ask(command);
    for (String answer : answers) {
      if (answer.startsWith("failed ")) {
        throw job.failure(command + ": " + answer);
      }
    }
    return answers;
  }

  /** Returns nanoseconds for an operation, of the slowest rank. */
  private static double run(AllReduceJob job, String command)
      throws IOException, InterruptedException, AllReduceJob.JobFailure {
    double slowest = 0;
    for (String answer : answers(job, command)) {
      if (!answer.startsWith("ok ")) {
        throw job.failure(command + ": " + answer);
      }
      slowest = Math.max(slowest, Double.parseDouble(answer.substring(3)));
    }
    return slowest;
  }
}
