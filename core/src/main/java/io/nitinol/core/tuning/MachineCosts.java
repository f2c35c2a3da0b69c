// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.tuning;

/**
 * What this machine takes for the elements of an operation inside a host.
 *
 * @param copyRate how fast a thread copies blocks that are in its cache, in bytes per microsecond
 * @param reduceRate how fast it adds such blocks of binary32, in bytes of one operand per
 *     microsecond
 * @param signalMicros how long it takes until another processor sees a write, in microseconds
 */
public record MachineCosts(double copyRate, double reduceRate, double signalMicros) {
  /** What a usual machine takes, where nothing better is known. */
  public static final MachineCosts USUAL = new MachineCosts(40_000, 15_000, 0.15);

  /** Keeps the values within what can be: a measurement may have been disturbed. */
  public MachineCosts {
    copyRate = within(copyRate, 8_000, 500_000, 40_000);
    reduceRate = within(reduceRate, 4_000, 200_000, 15_000);
    signalMicros = within(signalMicros, 0.03, 5, 0.15);
  }

  private static double within(double value, double least, double most, double otherwise) {
    return value > 0 && Double.isFinite(value) ? Math.clamp(value, least, most) : otherwise;
  }
}
