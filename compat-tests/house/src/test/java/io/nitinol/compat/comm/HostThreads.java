// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import io.nitinol.core.CommConfig;
import io.nitinol.core.Communicator;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.plugin.PluginCatalog;
import io.nitinol.core.plugin.RecordedLog;
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
import org.jspecify.annotations.Nullable;

/** Runs ranks as threads of this process, on the hosts that {@code NCCL_HOSTID} names. */
final class HostThreads {
  /** What one rank does. */
  interface Body<T> {
    T run(Communicator communicator) throws Exception;
  }

  /**
   * The result of a rank.
   *
   * @param value the result of its body; null if it threw
   * @param error what it threw
   */
  record Outcome<T>(@Nullable T value, @Nullable Throwable error) {}

  private static final int SECONDS = 100;

  private final String hosts;
  private final Map<String, String> variables;

  private @Nullable PluginCatalog plugins;

  /** What the ranks log. */
  final RecordedLog log = new RecordedLog();

  /**
   * Creates a group of ranks that does nothing yet.
   *
   * @param hosts by rank, a letter for its host
   * @param variables for all ranks
   */
  HostThreads(String hosts, Map<String, String> variables) {
    this.hosts = hosts;
    this.variables = variables;
  }

  /** Makes the ranks use plugins of a catalog of their own. */
  HostThreads with(PluginCatalog catalog) {
    plugins = catalog;
    return this;
  }

  private CommConfig config(int rank) {
    Map<String, String> all = new HashMap<>(variables);
    all.putIfAbsent("NCCL_SOCKET_IFNAME", "lo");
    all.putIfAbsent("NCCL_NET", "Socket");
    all.putIfAbsent("NITINOL_BOOTSTRAP_TIMEOUT", "60");
    all.put("NCCL_HOSTID", "host " + hosts.charAt(rank));
    CommConfig config = CommConfig.standard().withSettings(Settings.of(all)).withLogger(log);
    return plugins == null ? config : config.withPlugins(plugins);
  }

  /** Makes a communicator of all ranks, runs {@code body} on each, and closes it. */
  <T> List<Outcome<T>> outcomes(Body<T> body) throws Exception {
    int n = hosts.length();
    UniqueId id = UniqueId.create(config(0).settings(), log);
    try (ExecutorService threads = Executors.newFixedThreadPool(n)) {
      List<Future<T>> futures = new ArrayList<>();
      for (int r = 0; r < n; r++) {
        int rank = r;
        Callable<T> call =
            () -> {
              Communicator communicator = Communicator.init(id, n, rank, config(rank));
              try (communicator) {
                return body.run(communicator);
              } catch (Throwable e) {
                communicator.abort();
                throw e;
              }
            };
        futures.add(threads.submit(call));
      }
      List<Outcome<T>> outcomes = new ArrayList<>();
      for (Future<T> each : futures) {
        try {
          outcomes.add(new Outcome<>(each.get(SECONDS, TimeUnit.SECONDS), null));
        } catch (ExecutionException e) {
          outcomes.add(new Outcome<>(null, e.getCause()));
        }
      }
      return outcomes;
    }
  }

  /** As {@link #outcomes}, where no rank is to fail. */
  <T> void run(Body<T> body) throws Exception {
    AssertionError failure = null;
    for (Outcome<T> each : outcomes(body)) {
      Throwable error = each.error();
      if (error != null) {
        failure = failure == null ? new AssertionError("a rank failed") : failure;
        failure.addSuppressed(error);
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
