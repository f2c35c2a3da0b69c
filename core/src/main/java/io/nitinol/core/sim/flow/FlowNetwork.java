// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim.flow;

import io.nitinol.toolkit.thread.OneThread;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import org.jspecify.annotations.Nullable;

/**
 * Shares links among flows, max-min fair: no flow could be faster without another one, which is no
 * faster than it, becoming slower. A flow is the bytes of one message on its route; its source goes
 * on to the next one when they are through.
 *
 * <p>Each link has a level, which is the rate of the flows that it limits, and which it computes
 * from what the other links leave to its flows. A flow that comes or goes changes the levels of its
 * links, and from there only as far as that changes anything. Where the levels take too long to
 * settle, those of all links that are connected by flows are computed at once.
 */
@OneThread
public final class FlowNetwork {
  private static final double SAME = 1e-9;
  private static final double NONE = Double.POSITIVE_INFINITY;
  private static final int PATIENCE = 2000;

  /** Hears when a flow will be through. */
  @FunctionalInterface
  public interface Listener {
    /** Takes note that {@code flow} will be through at {@code time}, in picoseconds. */
    void finishes(int flow, long time);
  }

  private final double[] capacity;
  private final double incast;
  private final Listener listener;
  private final @Nullable LinkUsage usage;

  /** By link: its flows, how many there are, and its level. */
  private final int[][] flowsOf;

  private final int[] counts;
  private final double[] levels;
  private final double[] totals;

  /** By flow: its route, where it stands among the flows of each link, and how it gets on. */
  private int[][] routes = new int[64][];

  private int[][] places = new int[64][];
  private double[] rates = new double[64];
  private double[] left = new double[64];
  private long[] since = new long[64];
  private boolean[] moved = new boolean[64];
  private int flows;

  private int[] dirty = new int[64];
  private int dirtyFrom;
  private int dirtyCount;
  private final boolean[] isDirty;

  private int[] changed = new int[64];
  private int changedCount;
  private double[] limits = new double[16];

  /**
   * Creates a network without flows.
   *
   * @param capacities of the links, in bytes per microsecond
   * @param incast the share of a link's capacity that is lost for each flow beyond the first; a
   *     link keeps half of its capacity at the least
   * @param usage what goes over the links over time; null where nobody wants to know
   */
  public FlowNetwork(
      double[] capacities, double incast, Listener listener, @Nullable LinkUsage usage) {
    int links = capacities.length;
    this.capacity = new double[links];
    for (int i = 0; i < links; i++) {
      capacity[i] = capacities[i] / 1e6; // a microsecond has 10^6 picoseconds
    }
    this.incast = incast;
    this.listener = listener;
    this.usage = usage;
    this.flowsOf = new int[links][];
    this.counts = new int[links];
    this.levels = new double[links];
    Arrays.fill(levels, NONE);
    this.totals = new double[links];
    this.isDirty = new boolean[links];
  }

  /** Adds a flow that carries nothing yet, and returns its number; from 0. */
  public int add(int[] route) {
    if (flows == routes.length) {
      int more = 2 * flows;
      routes = Arrays.copyOf(routes, more);
      places = Arrays.copyOf(places, more);
      rates = Arrays.copyOf(rates, more);
      left = Arrays.copyOf(left, more);
      since = Arrays.copyOf(since, more);
      moved = Arrays.copyOf(moved, more);
    }
    routes[flows] = route;
    places[flows] = new int[route.length];
    return flows++;
  }

  /** Starts to carry a message; {@link #settle} has to follow. */
  public void start(int flow, long bytes, long now) {
    left[flow] = bytes;
    since[flow] = now;
    rates[flow] = 0;
    int[] route = routes[flow];
    for (int i = 0; i < route.length; i++) {
      int link = route[i];
      int[] row = flowsOf[link];
      int n = counts[link];
      if (row == null) {
        row = new int[2];
        flowsOf[link] = row;
      } else if (n == row.length) {
        row = Arrays.copyOf(row, 2 * n);
        flowsOf[link] = row;
      }
      row[n] = flow;
      counts[link] = n + 1;
      places[flow][i] = n;
      totals[link] += bytes;
      markDirty(link);
    }
    change(flow);
  }

  /** Ends a message that is through; {@link #settle} has to follow. */
  public void end(int flow, long now) {
    progress(flow, now);
    rates[flow] = 0;
    int[] route = routes[flow];
    for (int i = 0; i < route.length; i++) {
      int link = route[i];
      int[] row = flowsOf[link];
      int last = row[--counts[link]];
      int at = places[flow][i];
      row[at] = last;
      if (last != flow) {
        int[] links = routes[last];
        for (int j = 0; j < links.length; j++) {
          if (links[j] == link) {
            places[last][j] = at;
          }
        }
      }
      markDirty(link);
    }
    left[flow] = -1;
  }

  private void progress(int flow, long now) {
    long time = now - since[flow];
    if (time > 0) {
      double bytes = Math.min(left[flow], rates[flow] * time);
      left[flow] -= bytes;
      if (usage != null && bytes > 0) {
        for (int link : routes[flow]) {
          usage.add(link, since[flow], now, bytes);
        }
      }
      since[flow] = now;
    }
  }

  private void markDirty(int link) {
    if (!isDirty[link]) {
      isDirty[link] = true;
      if (dirtyCount == dirty.length) {
        int[] more = new int[2 * dirtyCount];
        for (int i = 0; i < dirtyCount; i++) {
          more[i] = dirty[(dirtyFrom + i) & (dirtyCount - 1)];
        }
        dirty = more;
        dirtyFrom = 0;
      }
      dirty[(dirtyFrom + dirtyCount++) & (dirty.length - 1)] = link;
    }
  }

  private void change(int flow) {
    if (!moved[flow]) {
      moved[flow] = true;
      if (changedCount == changed.length) {
        changed = Arrays.copyOf(changed, 2 * changedCount);
      }
      changed[changedCount++] = flow;
    }
  }

  /** Computes the rates after messages have come and gone, and tells when flows are through. */
  public void settle(long now) {
    int patience = PATIENCE + 16 * dirtyCount;
    while (dirtyCount > 0) {
      int link = dirty[dirtyFrom];
      dirtyFrom = (dirtyFrom + 1) & (dirty.length - 1);
      dirtyCount--;
      isDirty[link] = false;
      if (patience-- == 0) {
        fill(link);
        continue;
      }
      double level = level(link);
      if (!isSame(level, levels[link])) {
        levels[link] = level;
        spread(link);
      }
    }
    for (int i = 0; i < changedCount; i++) {
      int flow = changed[i];
      moved[flow] = false;
      if (left[flow] >= 0) {
        double rate = rate(flow);
        if (rate != rates[flow]) {
          progress(flow, now);
          rates[flow] = rate;
          listener.finishes(flow, now + Math.max(1, (long) Math.ceil(left[flow] / rate)));
        }
      }
    }
    changedCount = 0;
  }

  private static boolean isSame(double a, double b) {
    return a == b || (a != NONE && b != NONE && Math.abs(a - b) <= SAME * Math.max(a, b));
  }

  /** Marks what the level of a link has an influence on. */
  private void spread(int link) {
    for (int i = 0; i < counts[link]; i++) {
      int flow = flowsOf[link][i];
      change(flow);
      for (int other : routes[flow]) {
        if (other != link) {
          markDirty(other);
        }
      }
    }
  }

  private double rate(int flow) {
    double least = NONE;
    for (int link : routes[flow]) {
      least = Math.min(least, levels[link]);
    }
    return least;
  }

  /** Returns what a link has for its flows together. */
  private double room(int link) {
    int n = counts[link];
    return incast == 0 || n < 2
        ? capacity[link]
        : capacity[link] * Math.max(0.5, 1 - incast * (n - 1));
  }

  /** Returns the level of a link, given those of all others. */
  private double level(int link) {
    int n = counts[link];
    double room = room(link);
    if (n == 0) {
      return NONE;
    }
    if (n == 1) {
      return limit(flowsOf[link][0], link) <= room ? NONE : room;
    }
    if (limits.length < n) {
      limits = new double[2 * n];
    }
    boolean any = false;
    for (int i = 0; i < n; i++) {
      limits[i] = limit(flowsOf[link][i], link);
      any |= limits[i] != NONE;
    }
    if (!any) {
      return room / n;
    }
    Arrays.sort(limits, 0, n);
    for (int i = 0; i < n; i++) {
      double share = room / (n - i);
      if (limits[i] > share) {
        return share;
      }
      room -= limits[i];
    }
    return NONE;
  }

  /** Returns what the other links of a flow leave to it. */
  private double limit(int flow, int but) {
    double least = NONE;
    for (int link : routes[flow]) {
      if (link != but) {
        least = Math.min(least, levels[link]);
      }
    }
    return least;
  }

  /** Computes the levels of all links that flows connect with a link, by filling them evenly. */
  private void fill(int from) {
    LinkedHashSet<Integer> links = new LinkedHashSet<>();
    LinkedHashSet<Integer> open = new LinkedHashSet<>();
    ArrayDeque<Integer> queue = new ArrayDeque<>();
    links.add(from);
    queue.add(from);
    while (!queue.isEmpty()) {
      int link = queue.remove();
      for (int i = 0; i < counts[link]; i++) {
        int flow = flowsOf[link][i];
        if (open.add(flow)) {
          change(flow);
          for (int other : routes[flow]) {
            if (links.add(other)) {
              queue.add(other);
            }
          }
        }
      }
    }
    HashMap<Integer, Double> room = new HashMap<>();
    HashMap<Integer, Integer> waiting = new HashMap<>();
    for (int link : links) {
      room.put(link, room(link));
      waiting.put(link, counts[link]);
      levels[link] = NONE;
    }
    while (!open.isEmpty()) {
      int narrowest = -1;
      double least = NONE;
      for (int link : links) {
        int n = waiting.getOrDefault(link, 0);
        double share = n == 0 ? NONE : room.getOrDefault(link, 0.0) / n;
        if (share < least) {
          least = share;
          narrowest = link;
        }
      }
      levels[narrowest] = least;
      for (int i = 0; i < counts[narrowest]; i++) {
        int flow = flowsOf[narrowest][i];
        if (open.remove(flow)) {
          for (int link : routes[flow]) {
            room.merge(link, -least, Double::sum);
            waiting.merge(link, -1, Integer::sum);
          }
        }
      }
    }
    // What was still to be looked at has its level now, if it is connected.
    int rest = dirtyCount;
    for (int i = 0; i < rest; i++) {
      int link = dirty[dirtyFrom];
      dirtyFrom = (dirtyFrom + 1) & (dirty.length - 1);
      dirtyCount--;
      isDirty[link] = false;
      if (!links.contains(link)) {
        markDirty(link);
      }
    }
  }

  /** Returns the rate of a flow that is under way, in bytes per microsecond. */
  public double rateOf(int flow) {
    return rates[flow] * 1e6;
  }

  /** Returns how many bytes have been given to a link so far. */
  public double total(int link) {
    return totals[link];
  }
}
