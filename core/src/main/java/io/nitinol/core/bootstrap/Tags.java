// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

/** The tags of the exchanges between all ranks of a communicator, and their names. */
public final class Tags {
  /** The barrier that ends a communicator. */
  public static final int FINISH = 0x46494e49;

  /** The exchanges of a split. */
  public static final int SPLIT = 0x53504c54;

  /** The calls of a rank that waits. */
  public static final int CALLS = 0x43414c4c;

  /** The news that a rank could not join a collective network. */
  public static final int COLLNET = 0x434f4c4c;

  private Tags() {}

  /**
   * Returns the purpose of an exchange, to be appended to its name in a message; or an empty text.
   */
  static String purpose(int tag) {
    return switch (tag) {
      case FINISH -> " of finish";
      case SPLIT -> " of split";
      default -> "";
    };
  }
}
