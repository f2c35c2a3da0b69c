// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

/** The tags of what all ranks of a communicator tell one another, and their names. */
public final class Tags {
  /** The barrier that ends a communicator. */
  public static final int FINISH = 0x46494e49;

  /** The exchanges of a split. */
  public static final int SPLIT = 0x53504c54;

  /** What a rank that waits has called. */
  public static final int CALLS = 0x43414c4c;

  /** That a rank could not join a collective network. */
  public static final int COLLNET = 0x434f4c4c;

  private Tags() {}

  /** Returns what an exchange is for, to follow its name in a message, or nothing. */
  static String purpose(int tag) {
    return switch (tag) {
      case FINISH -> " of finish";
      case SPLIT -> " of split";
      default -> "";
    };
  }
}
