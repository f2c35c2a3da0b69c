// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.connect.ConnectorGroup;
import io.nitinol.core.transport.MemoryNet;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.config.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** Communicators of one process, each used by a thread of its own. */
public final class RankThreads {
  static final Settings SETTINGS = ConnectorGroup.SETTINGS;

  private RankThreads() {}

  /** Runs {@code body} in a thread of its own. */
  static <T> CompletableFuture<T> inThread(Supplier<T> body) {
    return ConnectorGroup.inThread(body::get);
  }

  /** Returns a configuration over a network of this process. */
  public static CommConfig config(long seed) {
    return CommConfig.standard().withSettings(SETTINGS).withNet(new MemoryNet(seed));
  }

  /** Runs {@code body} for all ranks at once; returns what each gave, by rank. */
  static <T> List<T> each(List<Communicator> ranks, Function<Communicator, T> body)
      throws Exception {
    List<CompletableFuture<T>> running = new ArrayList<>();
    ranks.forEach(rank -> running.add(inThread(() -> body.apply(rank))));
    List<T> results = new ArrayList<>();
    for (CompletableFuture<T> each : running) {
      results.add(get(each));
    }
    return results;
  }

  static <T> T get(CompletableFuture<T> future) throws Exception {
    try {
      return future.get(240, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    }
  }

  /** Returns the sum over all ranks of {@code communicator} of their ranks. */
  static int sumOfRanks(Communicator communicator) {
    int[] value = {communicator.rank()};
    communicator.blocking().allReduce(value, ReductionOp.SUM);
    return value[0];
  }

  /** Returns 0 + 1 + ... + n-1. */
  static int gauss(int n) {
    return n * (n - 1) / 2;
  }
}
