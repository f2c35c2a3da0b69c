// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.control;

import io.nitinol.toolkit.thread.OneThread;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The tries of an outbound {@link ControlLink}: which address is next, and when to give up. */
@OneThread
final class Dialling {
  private static final long ATTEMPT_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
  private static final long REFUSED_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long STARTING_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** How long a process may have no socket for a link, as a listener has for accepting one. */
  private static final long WITHOUT_SOCKET_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Tries that time alone does not use up, such as that of a process that was stopped. */
  private static final int STARTING_TRIES = 4;

  private final List<InetSocketAddress> addresses;
  private final Patience patience;
  private final long createdNanos = System.nanoTime();
  private int attempts;
  private long pauseNanos = FIRST_PAUSE_NANOS;
  private long withoutSocketSince = -1;

  Dialling(List<InetSocketAddress> addresses, Patience patience) {
    this.addresses = addresses;
    this.patience = patience;
  }

  boolean hasSeveralAddresses() {
    return addresses.size() > 1;
  }

  /** Returns the address of the next try. */
  InetSocketAddress next() {
    return addresses.get(attempts++ % addresses.size());
  }

  /**
   * Returns how long, with several addresses, the one of this try may take before the next has its
   * turn, in nanoseconds; longer in each round, since a machine may be slow.
   */
  long attemptNanos() {
    int rounds = (attempts - 1) / addresses.size();
    return ATTEMPT_NANOS * (1 + rounds);
  }

  /** As {@link #pauseAfter}, of a try for which this process got no socket. */
  long pauseWithoutSocket(IOException failure) {
    long elapsed = System.nanoTime() - createdNanos;
    if (withoutSocketSince < 0) {
      withoutSocketSince = elapsed;
    }
    return elapsed - withoutSocketSince > WITHOUT_SOCKET_NANOS ? -1 : pauseAfter(failure);
  }

  /** Notes that this process has got a socket. */
  void hasSocket() {
    withoutSocketSince = -1;
  }

  /** Returns whether the last try failed because this process got no socket. */
  boolean isWithoutSocket() {
    return withoutSocketSince >= 0;
  }

  /** Returns how long to pause after a failed try, in nanoseconds; -1: give up. */
  long pauseAfter(IOException failure) {
    long pause = pauseNanos;
    long elapsed = System.nanoTime() + pause - createdNanos;
    boolean hopeless =
        switch (patience) {
          case UNTIL_DEADLINE -> false;
          case UNTIL_REFUSED -> failure instanceof ConnectException && elapsed > REFUSED_NANOS;
          case WHILE_STARTING -> elapsed > STARTING_NANOS && attempts >= STARTING_TRIES;
          case BRIEF -> attempts >= 2 * addresses.size();
        };
    if (hopeless) {
      return -1;
    }
    pauseNanos = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
    return pause;
  }
}
