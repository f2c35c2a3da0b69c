// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import io.nitinol.core.CommConfig;
import io.nitinol.core.Communicator;
import io.nitinol.spi.config.Settings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs the ranks of a group as threads of this process. */
final class RankThreads {
  /** What one rank does. */
  interface Body<T> {
    T run(Communicator communicator) throws Exception;
  }

  private RankThreads() {}

  /** Returns a configuration with these variables, on loopback. */
  static CommConfig config(Map<String, String> variables) {
    Map<String, String> all = new HashMap<>(variables);
    all.putIfAbsent("NCCL_SOCKET_IFNAME", "lo");
    all.putIfAbsent("NCCL_NET", "Socket");
    return CommConfig.standard().withSettings(Settings.of(all));
  }

  /** Runs {@code body} on all ranks; futures by rank. Nothing is closed. */
  static <T> List<Future<T>> run(List<Communicator> group, Body<T> body) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(group.size())) {
      List<Callable<T>> calls = new ArrayList<>();
      for (Communicator communicator : group) {
        calls.add(() -> body.run(communicator));
      }
      return threads.invokeAll(calls);
    }
  }

  /** Runs {@code body} on all ranks of a new group; a failing rank aborts the others. */
  static <T> List<T> withGroup(int n, Map<String, String> variables, Body<T> body)
      throws Exception {
    List<Communicator> group = Communicator.initAll(n, config(variables));
    try {
      List<Future<T>> futures =
          run(
              group,
              communicator -> {
                try {
                  return body.run(communicator);
                } catch (Throwable e) {
                  communicator.abort();
                  throw e;
                }
              });
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get());
      }
      return results;
    } finally {
      group.forEach(Communicator::close);
    }
  }
}
