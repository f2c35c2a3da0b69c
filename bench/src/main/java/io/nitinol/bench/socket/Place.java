// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.socket;

import io.nitinol.netns.Namespace;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The place where an end runs.
 *
 * @param namespace the network it has; null for this process's
 * @param address its own address
 * @param device the interface with this address
 * @param cpus the processors it may use, in the form of taskset; empty for all
 */
public record Place(@Nullable Namespace namespace, String address, String device, String cpus) {

  /** Returns where the near end runs on this host, over its loopback interface. */
  static Place near(List<Integer> cpus) {
    return onLoopback(cpus.getFirst());
  }

  /**
   * Returns where the far end runs. Half of the processors apart, so that the two do not share a
   * core's threads.
   */
  static Place far(List<Integer> cpus) {
    return onLoopback(cpus.get(cpus.size() / 2));
  }

  private static Place onLoopback(int cpu) {
    return new Place(null, "127.0.0.1", "lo", Integer.toString(cpu));
  }

  /** Returns the command that runs {@code command} here. */
  public List<String> command(List<String> command) {
    List<String> all = new ArrayList<>();
    if (!cpus.isEmpty()) {
      all.addAll(List.of("taskset", "-c", cpus));
    }
    all.addAll(command);
    return namespace == null ? all : namespace.command(all);
  }
}
