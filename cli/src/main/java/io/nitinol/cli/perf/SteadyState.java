// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

/**
 * Tells when operations get no faster any more. A JVM compiles in stages, each of which comes some
 * time after the one before, so one piece that is no faster than the last means little: several in
 * a row must not be.
 */
final class SteadyState {
  /** How many pieces in a row must be no faster than the fastest before. */
  private static final int PIECES = 5;

  /** What counts as faster; less is noise. */
  private static final double FASTER = 0.9;

  private double least = Double.MAX_VALUE;
  private int noFaster;

  /**
   * Adds a piece.
   *
   * @param time what an operation took in it, in any unit
   * @return whether it is steady now
   */
  boolean add(double time) {
    if (time < FASTER * least) {
      noFaster = 0;
      least = time;
    } else {
      noFaster++;
      least = Math.min(least, time);
    }
    return noFaster >= PIECES;
  }
}
