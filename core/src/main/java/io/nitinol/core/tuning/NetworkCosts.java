// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.tuning;

import io.nitinol.toolkit.ErrorText;

/**
 * What a message over a connection takes.
 *
 * @param latencyMicros of a small one from one rank to the next, in microseconds
 * @param rate of large ones, in bytes per microsecond
 */
public record NetworkCosts(double latencyMicros, double rate) {
  /** What a connection through shared memory takes. */
  public static final NetworkCosts SHARED_MEMORY = new NetworkCosts(0.5, 12_000);

  /** What the socket calls at both ends take, which no device states. */
  private static final double SOFTWARE_MICROS = 10;

  /** Bytes per microsecond that one thread gets through a network, whatever the wire is. */
  private static final double THREAD_RATE = 4_000;

  /** Returns the costs as text, such as {@code 1.25 GB/s after 10.00 us}. */
  String describe() {
    return ErrorText.of("%.2f GB/s after %.2f us", rate / 1000, latencyMicros);
  }

  /** Returns whether several threads would get no more through the network than one. */
  boolean isBoundByWire() {
    return rate < THREAD_RATE;
  }

  /**
   * Returns what a network device states.
   *
   * @param megabits its speed, in 10^6 bits per second
   * @param latencyMicros what it adds to a message, in microseconds; 0 when not known
   */
  public static NetworkCosts of(int megabits, float latencyMicros) {
    return new NetworkCosts(
        SOFTWARE_MICROS + Math.max(0, latencyMicros),
        Math.min(THREAD_RATE, Math.max(1, megabits / 8.0)));
  }
}
