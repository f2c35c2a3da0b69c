// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import io.nitinol.core.bootstrap.Bootstrap;
import io.nitinol.core.bootstrap.BootstrapException;
import io.nitinol.core.bootstrap.Tags;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The end of one rank's stage, which is a window of its team: other processes have it open until
 * they have closed the team, so it is not freed before. Ranks of one process do not wait for each
 * other, since one thread may close all of them: the last one waits for the other processes, and
 * frees the stages of all.
 */
@AnyThread
final class StageRelease {
  private static final Map<Long, List<StageRelease>> CLOSED = new ConcurrentHashMap<>();

  private final Bootstrap bootstrap;
  private final long number;
  private final int here;
  private final List<Integer> others;
  private final Runnable free;
  private boolean sound; // written before CLOSED has it

  /**
   * Frees nothing yet.
   *
   * @param bootstrap connects this rank with the others
   * @param number the same for the ranks of the team, and no other team's of this process
   * @param here how many ranks of the team live in this process, this one included
   * @param others those that live in other processes
   * @param free frees this rank's stage
   */
  StageRelease(Bootstrap bootstrap, long number, int here, List<Integer> others, Runnable free) {
    this.bootstrap = bootstrap;
    this.number = number;
    this.here = here;
    this.others = List.copyOf(others);
    this.free = free;
  }

  /**
   * Notes that this rank has closed the team, and tells the other processes. The last rank of this
   * process then waits for theirs, for as long as the bootstrap does, unless there is a failure.
   *
   * @param success whether nothing has failed on this rank
   * @return false where another process may have a stage open still, so that those of this process
   *     are never freed
   */
  boolean closed(boolean success) {
    sound = success;
    for (int other : others) {
      tell(other);
    }
    List<StageRelease> all = new ArrayList<>();
    CLOSED.compute(
        number,
        (key, known) -> {
          List<StageRelease> members = known == null ? new ArrayList<>() : known;
          members.add(this);
          if (members.size() < here) {
            return members;
          }
          all.addAll(members);
          return null;
        });
    boolean released = all.stream().allMatch(StageRelease::areOthersClosed);
    if (released) {
      all.forEach(each -> each.free.run());
    }
    return released;
  }

  private void tell(int other) {
    try {
      if (!bootstrap.hasLeft(other)) {
        bootstrap.send(other, Tags.DEVICE_STAGE, new byte[0]);
      }
    } catch (BootstrapException e) {
      sound = false; // and the other one keeps its stage, since it misses the word
    }
  }

  private boolean areOthersClosed() {
    if (others.isEmpty()) {
      return true; // by now all ranks of the team have closed it, failure or not
    }
    if (!sound) {
      return false;
    }
    try {
      for (int other : others) {
        byte[] _ = bootstrap.recv(other, Tags.DEVICE_STAGE);
      }
      return true;
    } catch (BootstrapException e) {
      return false;
    }
  }
}
