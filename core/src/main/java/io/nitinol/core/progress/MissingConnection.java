// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

/** What an operation that cannot begin yet may be missing, where it is not the rank of a peer. */
final class MissingConnection {
  /** Nothing is missing. */
  static final int NOTHING = -2;

  /** The shared memory of the host. */
  static final int TEAM = -1;

  private MissingConnection() {}

  /**
   * Returns what is missing, to follow "waits for".
   *
   * @param member the rank for which {@link #TEAM} is missing, or -1
   */
  static String describe(int missing, int member) {
    return missing >= 0
        ? "its connection with rank " + missing
        : "the memory that it shares with the other ranks of its host"
            + (member < 0 ? "" : ", which rank " + member + " has not asked for");
  }
}
