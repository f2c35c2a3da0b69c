// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The engines of this process that read and write each other's buffers, by communicator. While
 * operations end well, an engine's buffers are its own again when they do; one that gives
 * operations up has to know that no other engine is in the middle of them.
 */
final class Neighbours {
  private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private static final Map<Long, List<Engine>> BY_GROUP = new ConcurrentHashMap<>();

  private Neighbours() {}

  static void add(long group, Engine engine) {
    BY_GROUP.compute(
        group,
        (key, known) -> {
          List<Engine> more = known == null ? new ArrayList<>() : new ArrayList<>(known);
          more.add(engine);
          return more;
        });
  }

  static void remove(long group, Engine engine) {
    BY_GROUP.computeIfPresent(
        group,
        (key, known) -> {
          List<Engine> fewer = new ArrayList<>(known);
          fewer.remove(engine);
          return fewer.isEmpty() ? null : fewer;
        });
  }

  /**
   * Waits until no other engine of the group does any step, or will.
   *
   * @param deadline when to give up, by {@link System#nanoTime}
   * @return names of threads that may still be in a step
   */
  static List<String> awaitRest(long group, Engine self, long deadline) {
    List<String> busy = new ArrayList<>();
    for (Engine other : BY_GROUP.getOrDefault(group, List.of())) {
      if (other == self) {
        continue;
      }
      List<String> threads = other.threadsInSteps();
      while (!threads.isEmpty() && System.nanoTime() - deadline < 0) {
        LockSupport.parkNanos(LOOK_NANOS);
        threads = other.threadsInSteps();
      }
      busy.addAll(threads);
    }
    return busy;
  }
}
