// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet;

import io.nitinol.net.collnet.node.Switch;
import io.nitinol.net.collnet.node.SwitchOptions;
import io.nitinol.net.collnet.wire.GroupId;
import io.nitinol.net.collnet.wire.MemberHandle;
import io.nitinol.spi.DebugLogger;
import io.nitinol.toolkit.thread.AnyThread;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A switch inside this process, for ranks that do not name one: one for each address, shared by all
 * instances of the plugin. The first listener starts it, and it ends a second after the last
 * listener or group that needed it. Only members with a handle of this process can join, since the
 * handle has the switch's key.
 */
final class EmbeddedSwitch {
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /**
   * How long a member waits, if its process is the switch, for the others to have their results.
   */
  private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(2);

  private record Place(String net, InetAddress address) {}

  private static final Map<Place, EmbeddedSwitch> RUNNING = new HashMap<>(); // guarded by itself
  private static @Nullable Thread reaper; // guarded by RUNNING

  private final Switch node;
  private final MemberHandle.Key key;
  private int users; // guarded by RUNNING
  private long idleSince; // guarded by RUNNING

  private EmbeddedSwitch(Switch node, MemberHandle.Key key) {
    this.node = node;
    this.key = key;
  }

  /** One user of a switch: a listener or a member. */
  @AnyThread
  static final class Use {
    private final EmbeddedSwitch used;
    private final AtomicBoolean released = new AtomicBoolean();

    private Use(EmbeddedSwitch used) {
      this.used = used;
    }

    InetSocketAddress address() {
      return used.node.address();
    }

    MemberHandle.Key key() {
      return used.key;
    }

    /** Returns one more use of the same switch, to be released on its own. */
    Use again() {
      synchronized (RUNNING) {
        used.users++;
        return new Use(used);
      }
    }

    void release() {
      if (!released.getAndSet(true)) {
        synchronized (RUNNING) {
          used.users--;
          used.idleSince = System.nanoTime();
          if (used.users == 0 && reaper == null) {
            Thread thread =
                Thread.ofPlatform().daemon().name("Switch-end").unstarted(EmbeddedSwitch::reap);
            reaper = thread;
            thread.start();
          }
        }
      }
    }

    /**
     * Releases it once the switch has delivered all results of a group, or after 2 s: this process
     * may end as soon as its own member has left.
     */
    void releaseAfter(GroupId group) {
      long end = System.nanoTime() + LINGER_NANOS;
      while (used.serves(group) && System.nanoTime() - end < 0) {
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
      }
      release();
    }
  }

  private boolean serves(GroupId group) {
    String id = group.toString();
    return node.stats().groups().stream().anyMatch(each -> each.id().startsWith(id));
  }

  /**
   * Returns the switch of an address, started if it is not running.
   *
   * @param net the network plugin that carries its data
   * @param address an address of this host
   * @param logger where a switch that is started here writes its log
   */
  static Use at(String net, InetAddress address, DebugLogger logger) {
    Place place = new Place(net.toLowerCase(Locale.ROOT), address);
    synchronized (RUNNING) {
      EmbeddedSwitch found = RUNNING.get(place);
      if (found == null) {
        MemberHandle.Key key = MemberHandle.Key.random();
        SwitchOptions options =
            SwitchOptions.at(new InetSocketAddress(address, 0), key.bytes()).withNet(net);
        found = new EmbeddedSwitch(Switch.start(options.withThreads(1), logger), key);
        RUNNING.put(place, found);
      }
      found.users++;
      return new Use(found);
    }
  }

  /** Closes each switch that has had no user for a while; ends when every unused one is closed. */
  private static void reap() {
    while (true) {
      EmbeddedSwitch idle = null;
      boolean waiting = false;
      synchronized (RUNNING) {
        for (EmbeddedSwitch each : RUNNING.values()) {
          if (each.users == 0 && System.nanoTime() - each.idleSince >= IDLE_NANOS) {
            idle = each;
          }
          waiting |= each.users == 0;
        }
        if (idle != null) {
          RUNNING.values().remove(idle);
        } else if (!waiting) {
          reaper = null;
          return;
        }
      }
      if (idle != null) {
        idle.node.close();
      } else {
        LockSupport.parkNanos(POLL_NANOS);
      }
    }
  }
}
