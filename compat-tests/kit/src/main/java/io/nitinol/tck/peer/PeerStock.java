// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.peer;

import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.session.KitPatience;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Keeps the peers that are alive. A peer that a test has returned serves the next test on the same
 * lane, since a JVM takes longer to start than most tests take to run. Any thread.
 */
public final class PeerStock {

  private static final class Entry {
    final String plugin;
    final Lane lane;
    final PeerProcess process;
    boolean idle;

    Entry(String plugin, Lane lane, PeerProcess process) {
      this.plugin = plugin;
      this.lane = lane;
      this.process = process;
    }
  }

  /** Guarded by itself. */
  private static final List<Entry> ALIVE = new ArrayList<>();

  private PeerStock() {}

  /** Returns a peer that is left on the lane, or a new one; ends the peers of other lanes. */
  static PeerProcess take(PluginUnderTest plugin, Lane lane, KitPatience patience) {
    PeerProcess left = null;
    synchronized (ALIVE) {
      for (Entry entry : ALIVE) {
        boolean fits = entry.plugin.equals(plugin.reference()) && entry.lane.equals(lane);
        if (left == null && entry.idle && fits && entry.process.isAlive()) {
          entry.idle = false;
          left = entry.process;
        }
      }
    }
    if (left != null) {
      return left;
    }
    return takeNew(plugin, lane, patience);
  }

  /** Returns a new peer; ends the peers that are left. */
  static PeerProcess takeNew(PluginUnderTest plugin, Lane lane, KitPatience patience) {
    endAll(entry -> entry.idle && entry.plugin.equals(plugin.reference()));
    PeerProcess started = PeerProcess.start(plugin, lane, patience);
    synchronized (ALIVE) {
      ALIVE.add(new Entry(plugin.reference(), lane, started));
    }
    return started;
  }

  /** Keeps a peer that holds nothing any more. */
  static void give(PeerProcess process) {
    synchronized (ALIVE) {
      for (Entry entry : ALIVE) {
        if (entry.process == process) {
          entry.idle = true;
        }
      }
    }
  }

  /** Kills a peer and waits for its end. */
  static void end(PeerProcess process) {
    endAll(entry -> entry.process == process);
  }

  /**
   * Kills all peers with this plugin, those of tests that hang included. A frozen peer would not
   * end with the process that started it.
   */
  public static void clear(PluginUnderTest plugin) {
    endAll(entry -> entry.plugin.equals(plugin.reference()));
  }

  private static void endAll(Predicate<Entry> which) {
    List<Entry> ending = new ArrayList<>();
    synchronized (ALIVE) {
      for (Entry entry : ALIVE) {
        if (which.test(entry)) {
          ending.add(entry);
        }
      }
      ALIVE.removeAll(ending);
    }
    ending.forEach(entry -> entry.process.kill());
  }
}
