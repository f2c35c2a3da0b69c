// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import java.util.LinkedHashSet;
import java.util.List;

/**
 * The inbound links whose other ends have not proved themselves. They have a short time to do so,
 * and there may be only so many of them: the oldest make room. Used by one thread.
 */
final class Strangers {
  private static final int MOST = 4_096;

  private final LinkedHashSet<Link> links = new LinkedHashSet<>(); // oldest first

  int size() {
    return links.size();
  }

  void add(Link link) {
    links.add(link);
  }

  void remove(Link link) {
    links.remove(link);
  }

  /** Closes the oldest where there are as many as there may be. */
  void makeRoom() {
    if (links.size() >= MOST) {
      dropOldest(1, "too many connections that have not proved themselves");
    }
  }

  void dropOldest(int count, String reason) {
    for (int i = 0; i < count && !links.isEmpty(); i++) {
      links.getFirst().close(reason);
    }
  }

  void dropSlow() {
    while (!links.isEmpty() && nanosToNext() <= 0) {
      Link oldest = links.getFirst();
      oldest.close("too slow: " + oldest.progress());
    }
  }

  /** Returns how long the oldest still has, or a long time without any. */
  long nanosToNext() {
    return links.isEmpty() ? Long.MAX_VALUE : links.getFirst().deadlineNanos() - System.nanoTime();
  }

  /** Closes those whose other ends do not take the link as open yet, and will try elsewhere. */
  void closeUnanswered(String reason) {
    for (Link each : List.copyOf(links)) {
      if (!each.hasAnswered()) {
        each.close(reason);
      }
    }
  }

  void closeAll(String reason) {
    for (Link each : List.copyOf(links)) {
      each.close(reason);
    }
  }
}
