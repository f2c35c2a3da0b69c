// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.config.Settings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/** All ranks of a communicator in this process, each on a thread of its own. */
final class BootstrapRanks {
  private BootstrapRanks() {}

  /**
   * Settings for the loopback interface with the given time limit, plus pairs of name and value.
   */
  static Settings settings(int timeoutSeconds, String... more) {
    Map<String, String> values = new HashMap<>();
    values.put("NCCL_SOCKET_IFNAME", "lo");
    values.put("NITINOL_BOOTSTRAP_TIMEOUT", String.valueOf(timeoutSeconds));
    for (int i = 0; i < more.length; i += 2) {
      values.put(more[i], more[i + 1]);
    }
    return Settings.of(values);
  }

  static List<Bootstrap> connect(int n, Settings settings, DebugLogger log) {
    return connect(n, UniqueId.create(settings, log), settings, log);
  }

  static List<Bootstrap> connect(int n, UniqueId id, Settings settings, DebugLogger log) {
    return onEach(n, rank -> () -> Bootstrap.connect(id, rank, n, settings, log));
  }

  static void close(List<Bootstrap> ranks) {
    onEach(
        ranks.size(),
        rank ->
            () -> {
              ranks.get(rank).close();
              return true;
            });
  }

  /** Runs one task per rank, all at once; throws what the lowest failing rank threw. */
  static <T> List<T> onEach(int n, IntFunction<Callable<T>> task) {
    List<T> results = new ArrayList<>();
    for (Outcome<T> each : outcomes(n, task)) {
      if (each.failure() instanceof RuntimeException e) {
        throw e;
      }
      if (each.failure() != null) {
        throw new AssertionError(each.failure());
      }
      results.add(each.value());
    }
    return results;
  }

  /** What a task ended with. */
  record Outcome<T>(T value, Throwable failure) {}

  /** Runs one task per rank, all at once, and returns what became of each. */
  static <T> List<Outcome<T>> outcomes(int n, IntFunction<Callable<T>> task) {
    List<Outcome<T>> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(n)) {
      List<Future<T>> running = new ArrayList<>();
      for (int rank = 0; rank < n; rank++) {
        running.add(threads.submit(task.apply(rank)));
      }
      for (Future<T> each : running) {
        try {
          results.add(new Outcome<>(each.get(60, TimeUnit.SECONDS), null));
        } catch (ExecutionException e) {
          results.add(new Outcome<>(null, e.getCause()));
        } catch (InterruptedException | TimeoutException e) {
          threads.shutdownNow();
          throw new AssertionError("a rank hangs", e);
        }
      }
    }
    return results;
  }
}
