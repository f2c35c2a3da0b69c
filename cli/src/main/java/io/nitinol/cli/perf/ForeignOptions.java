// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of nccl-tests that mean nothing here, and why. */
final class ForeignOptions {
  private static final String ANY = "0..1";

  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(names = "--nthreads", hidden = true, arity = ANY)
  void threads(@Nullable String value) {
    throw refusal("--nthreads", "-n says how many ranks, --threads makes them threads");
  }

  @Option(
      names = {"-p", "--parallel_init"},
      hidden = true,
      arity = ANY)
  void parallelInit(@Nullable String value) {
    throw refusal("-p", "ranks always start in parallel");
  }

  @Option(
      names = {"-T", "--timeout"},
      hidden = true,
      arity = ANY)
  void timeout(@Nullable String value) {
    throw refusal(
        "-T", "a run in which nothing moves ends by itself; NITINOL_TIMEOUT says after how long");
  }

  @Option(
      names = {"-x", "--cta_policy", "-D", "--device_implementation", "--device_cta_count"},
      hidden = true,
      arity = ANY)
  void device(@Nullable String value) {
    throw refusal("-x and -D", "they are about CUDA's kernels, and buffers are host memory");
  }

  @Option(
      names = {"-y", "--stream_null"},
      hidden = true,
      arity = ANY)
  void stream(@Nullable String value) {
    throw refusal("-y", "there are no CUDA streams of operations on host memory");
  }

  @Option(
      names = {"-M", "--memory"},
      hidden = true,
      arity = ANY)
  void memory(@Nullable String value) {
    throw refusal("-M", "the memory of a rank is that of its process, which ps shows");
  }

  @Option(
      names = {"-I", "--per_iter_timing", "-K", "--per_iter_skip"},
      hidden = true,
      arity = ANY)
  void iterations(@Nullable String value) {
    throw refusal(
        "-I and -K",
        "iterations are timed together; --json has the fastest and slowest rank's time");
  }

  private ParameterException refusal(String option, String why) {
    return new ParameterException(
        spec.commandLine(), option + " of nccl-tests does not exist here: " + why);
  }
}
