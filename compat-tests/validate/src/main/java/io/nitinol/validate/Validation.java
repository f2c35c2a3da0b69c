// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import io.nitinol.core.plugin.ValidationMode;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.Request;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.IdentityHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The state that all objects which watch one plugin share. */
@AnyThread
final class Validation {
  /** The version whose connect and accept may wait, and whose handles are shorter. */
  private static final int WAITING_VERSION = 4;

  /** The first version in which registrations are not held to an int's size. */
  private static final int WIDE_VERSION = 8;

  /** The first version whose counts are not an int. */
  private static final int WIDE_COUNTS_VERSION = 9;

  private static final int V4_HANDLE_BYTES = 64;
  private static final int HANDLE_BYTES = 128;

  final String network;
  final int version;
  final boolean failing;
  final Violations violations;
  final AreaTracker areas = new AreaTracker();

  /** Where calls are noted that belong to no listener or comm. */
  final Tracked setup;

  private final AtomicLong numbers = new AtomicLong();
  private final IdentityHashMap<Object, Tracked> live =
      new IdentityHashMap<>(); // guarded by itself
  private int opened; // guarded by live
  private long summarized; // guarded by live

  Validation(String network, int version, ValidationMode mode, DebugLogger logger) {
    this.network = network;
    this.version = version;
    this.failing = mode == ValidationMode.FAIL;
    this.violations = new Violations(network, logger);
    this.setup = new Tracked(this, "the network", 0, -1);
  }

  /** Returns whether connect and accept may wait for the peer (NET-V4-02). */
  boolean mayWait() {
    return version == WAITING_VERSION;
  }

  /** Returns the largest registration by regMr (NET-REG-03). */
  long maxRegistration() {
    return version < WIDE_VERSION ? Integer.MAX_VALUE : Long.MAX_VALUE;
  }

  /** Returns the largest count of a reduction (COLL-15). */
  long maxCount() {
    return version < WIDE_COUNTS_VERSION ? Integer.MAX_VALUE : Long.MAX_VALUE;
  }

  /** Returns how many bytes of a handle the plugin may fill (NET-V4-01). */
  int handleBytes() {
    return version == WAITING_VERSION ? V4_HANDLE_BYTES : HANDLE_BYTES;
  }

  /** Passes on the start of an operation on a comm that is not of this network. */
  @Nullable Request foreign(PluginMethod method, Comm comm, Supplier<@Nullable Request> start) {
    try (ValidatedCall call = setup.beside(method)) {
      call.begins();
      call.mistake("NET-ERR-02", "the comm is not of this network: " + comm);
      Request answer = call.ask(start);
      call.returned(answer == null ? "null" : "a request");
      return answer;
    }
  }

  /** Returns a number for a new listener or comm. */
  long number() {
    return numbers.incrementAndGet();
  }

  /** Notes that the plugin made {@code token}; returns what it stood for already, or null. */
  @Nullable Tracked born(Object token, Tracked as) {
    synchronized (live) {
      opened++;
      ContextState context = as.context;
      if (context != null) {
        context.open.incrementAndGet();
      }
      return live.putIfAbsent(token, as);
    }
  }

  /** Notes that a listener or comm is closed, and sums up where it was the last. */
  void gone(Object token, Tracked as) {
    int rest;
    int all;
    long total = violations.total();
    boolean news;
    ContextState context = as.context;
    if (context != null) {
      context.open.decrementAndGet();
    }
    synchronized (live) {
      live.remove(token, as);
      rest = live.size();
      all = opened;
      news = total > summarized;
      if (rest == 0) {
        summarized = total;
      }
    }
    if (rest == 0) {
      violations.summarize("the " + all + " listeners and comms so far are closed", news);
    }
  }
}
