// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

/** The tags of the exchanges in which all ranks of a communicator take part, and their names. */
public final class Tags {
  /** The barrier that ends a communicator. */
  public static final int FINISH = 0x46494e49;

  /** The exchanges of a split. */
  public static final int SPLIT = 0x53504c54;

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
