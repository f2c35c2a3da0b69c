// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device;

import io.nitinol.toolkit.thread.AnyThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The ranks of teams in this process that are closed while others of theirs are not. They use each
 * other's memory, so none is freed before all are closed; and none waits for another's close, since
 * one thread may close all of them.
 */
@AnyThread
final class LocalMembers {
  private static final Map<Long, List<Runnable>> CLOSED = new ConcurrentHashMap<>();

  private LocalMembers() {}

  /**
   * Notes that a rank is closed.
   *
   * @param number the number of its team
   * @param ranks how many ranks of that are in this process
   * @param end frees what the rank holds
   * @return what the caller runs: the ends of all these ranks if this was the last, else none
   */
  static List<Runnable> close(long number, int ranks, Runnable end) {
    List<Runnable> all = new ArrayList<>();
    CLOSED.compute(
        number,
        (key, known) -> {
          List<Runnable> ends = known == null ? new ArrayList<>() : known;
          ends.add(end);
          if (ends.size() < ranks) {
            return ends;
          }
          all.addAll(ends);
          return null;
        });
    return all;
  }
}
