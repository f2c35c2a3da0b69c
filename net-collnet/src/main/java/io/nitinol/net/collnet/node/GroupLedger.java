// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.net.collnet.wire.GroupId;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The groups of a switch: those that exist, how the last ones ended, for members that come late,
 * and how much all of them have moved.
 */
@AnyThread
final class GroupLedger {
  private static final int REMEMBERED = 4096;

  final Map<GroupId, SwitchGroup> groups = new ConcurrentHashMap<>();

  private final SwitchCounters counters;
  private final SwitchTraffic gone =
      new SwitchTraffic(); // of groups that are over; guarded by this

  // Guarded by itself.
  private final Map<GroupId, EndReason> past =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<GroupId, EndReason> eldest) {
          return size() > REMEMBERED;
        }
      };

  GroupLedger(SwitchCounters counters) {
    this.counters = counters;
  }

  /** Removes a group that is over, and remembers why it ended. */
  synchronized void end(SwitchGroup group, EndReason ending) {
    synchronized (past) {
      past.put(group.id, ending);
    }
    gone.add(group.traffic);
    groups.remove(group.id);
  }

  /** Returns the statistics of this moment; a group that ends meanwhile is counted once. */
  synchronized SwitchStats look(long upNanos, SwitchOptions options) {
    List<SwitchStats.GroupStats> now = new ArrayList<>();
    SwitchTraffic all = new SwitchTraffic();
    all.add(gone);
    long memory = 0;
    for (SwitchGroup group : groups.values()) {
      all.add(group.traffic);
      SwitchStats.GroupStats stats = group.stats();
      memory += stats.memoryBytes();
      now.add(stats);
    }
    return new SwitchStats(
        upNanos,
        counters.admitted.sum(),
        counters.refusals.sum(),
        counters.failures.sum(),
        all.operations(),
        all.segments(),
        all.reduced(),
        all.bytesIn(),
        all.bytesOut(),
        memory,
        options.maxGroups() * options.groupMemoryBytes(),
        now);
  }

  /** Remembers the refusal of a group that never existed. */
  void refuse(GroupId id, EndReason ending) {
    synchronized (past) {
      past.putIfAbsent(id, ending);
    }
  }

  /** Returns why a group has ended, or null if that is not known. */
  @Nullable EndReason past(GroupId id) {
    synchronized (past) {
      return past.get(id);
    }
  }
}
