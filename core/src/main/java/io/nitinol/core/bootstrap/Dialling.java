// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.core.bootstrap.Handshake.Kind;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The tries of an outbound {@link Link}: which address is next, and when to give up. */
final class Dialling {
  /** How long an outbound link tries. */
  enum Patience {
    /** Until the deadline: the other end may not listen yet. */
    UNTIL_DEADLINE,
    /** Until it was refused for some seconds: the other end has listened before. */
    UNTIL_REFUSED,
    /** Two tries at each address. */
    BRIEF
  }

  /**
   * Whom an outbound link goes to, and as whom.
   *
   * @param addresses where the other end may listen, at least one; all are tried in turn
   * @param patience when to give up before the deadline
   */
  record Target(
      List<InetSocketAddress> addresses,
      Kind kind,
      int rank,
      int ranks,
      int peer,
      Patience patience) {}

  /** With several addresses, how long one may take before the next has its turn. */
  static final long ATTEMPT_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
  private static final long REFUSED_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final Target target;
  private final long createdNanos = System.nanoTime();
  private final long deadlineNanos;
  private int attempts;
  private long pauseNanos = FIRST_PAUSE_NANOS;

  Dialling(Target target, long deadlineNanos) {
    this.target = target;
    this.deadlineNanos = deadlineNanos;
  }

  Target target() {
    return target;
  }

  boolean hasSeveralAddresses() {
    return target.addresses().size() > 1;
  }

  /** Returns the address of the next try. */
  InetSocketAddress next() {
    return target.addresses().get(attempts++ % target.addresses().size());
  }

  /** Returns how long to pause after a failed try, in nanoseconds; -1: give up. */
  long pauseAfter(IOException failure) {
    long pause = pauseNanos;
    long next = System.nanoTime() + pause;
    boolean hopeless =
        switch (target.patience()) {
          case UNTIL_DEADLINE -> false;
          case UNTIL_REFUSED ->
              failure instanceof ConnectException && next - createdNanos > REFUSED_NANOS;
          case BRIEF -> attempts >= 2 * target.addresses().size();
        };
    if (hopeless || next - deadlineNanos >= 0) {
      return -1;
    }
    pauseNanos = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
    return pause;
  }
}
