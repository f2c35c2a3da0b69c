// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.net.collnet.wire.ControlFrame;
import io.nitinol.net.collnet.wire.GroupId;
import io.nitinol.spi.NetException;
import io.nitinol.toolkit.thread.OnlyThread;
import java.util.BitSet;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a group's members, within a time limit. If some are at another switch it asks the
 * parent for a place.
 */
@OnlyThread("switch worker")
final class GroupFormation {
  /** More time for each level of a tree, so that the root's time-out comes first. */
  private static final long LEVEL_NANOS = 2_000_000_000L;

  private final SwitchResources site;
  private final GroupId id;
  private final Uplink.Events events;
  private final Executor thread;
  private final int nranks;
  private final Roster roster;
  private @Nullable Uplink above;
  private long deadline;

  /**
   * Begins to wait.
   *
   * @param events called for each frame of the parent, on the thread of the group
   * @param thread runs tasks on that thread, in their order
   */
  GroupFormation(
      SwitchResources site,
      GroupId id,
      int nranks,
      Roster roster,
      Uplink.Events events,
      Executor thread) {
    this.site = site;
    this.id = id;
    this.events = events;
    this.thread = thread;
    this.nranks = nranks;
    this.roster = roster;
    this.deadline = System.nanoTime() + site.options().formNanos();
  }

  /** Returns the connection to the parent; null: none was needed so far. */
  @Nullable Uplink above() {
    return above;
  }

  /**
   * Goes on after a member has come.
   *
   * @return whether all are here, so that this is the group's root
   * @throws NetException when the parent cannot be asked
   */
  boolean advance() {
    Uplink asked = above;
    if (roster.isComplete()) {
      above = null;
      if (asked != null) { // all members are at this switch
        asked.say(new ControlFrame.Leave());
        asked.hangUp();
        GroupConnector.close(site, asked.pair);
      }
      return true;
    }
    if (asked != null) {
      asked.more(roster.here);
    } else if (site.options().parent() != null && roster.allOfThisSwitchAreHere()) {
      deadline = System.nanoTime() + site.options().formNanos() + LEVEL_NANOS;
      above = new Uplink(site, events, thread, id, nranks, roster.here, roster.acceptableSegment());
    }
    return false;
  }

  /** Returns the ranks that have not come in time; null: there is still time. */
  @Nullable BitSet late(long now) {
    return now - deadline >= 0 ? roster.missing() : null;
  }
}
