// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.spi.DebugLogger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps which ranks have failed, and tells the listeners. Every listener is told of every failure
 * once, whether it was added before the failure or after it. Safe for any thread.
 */
final class FailureNews {
  private final DebugLogger log;
  private final Map<Integer, String> failed = new LinkedHashMap<>();
  private final Map<Integer, List<FailureListener>> untold = new LinkedHashMap<>();
  private final List<FailureListener> listeners = new ArrayList<>();

  FailureNews(DebugLogger log) {
    this.log = log;
  }

  /** Returns whether {@code rank} is known to have failed. */
  synchronized boolean knows(int rank) {
    return failed.containsKey(rank);
  }

  /** Notes a failure; returns false if it was known already. */
  synchronized boolean add(int rank, String reason) {
    if (failed.putIfAbsent(rank, reason) != null) {
      return false;
    }
    untold.put(rank, List.copyOf(listeners));
    return true;
  }

  /** Tells the listeners of a failure that was added just now. */
  void tell(int rank, String reason) {
    List<FailureListener> told;
    synchronized (this) {
      told = untold.remove(rank);
    }
    if (told != null) {
      told.forEach(listener -> notify(listener, rank, reason));
    }
  }

  /** Adds a listener and tells it what is known already, on this thread. */
  void listen(FailureListener listener) {
    Map<Integer, String> known;
    synchronized (this) {
      listeners.add(listener);
      known = new LinkedHashMap<>(failed);
    }
    known.forEach((rank, reason) -> notify(listener, rank, reason));
  }

  /** A listener's defect must not keep the others from hearing it. */
  private void notify(FailureListener listener, int rank, String reason) {
    try {
      listener.failed(rank, reason);
    } catch (RuntimeException | Error e) {
      log.warn("bootstrap", "a failure listener threw " + e);
    }
  }
}
