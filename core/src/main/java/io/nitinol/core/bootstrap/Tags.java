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

  /** The exchanges of devices: where they are, and the handles of their memory. */
  public static final int DEVICE = 0x44455643;

  /** The handles of memory that all ranks of a host see. */
  public static final int ALLOCATE = 0x414c4c4f;

  /** The tags below 0: a rank's word that its devices read no other rank's memory any more. */
  private static final int DEVICE_DONE = 0x80000000;

  /** A rank's word that it has closed its team of devices, and no window of it is open there. */
  public static final int DEVICE_STAGE = 0x44455646;

  private Tags() {}

  /**
   * Returns the tag of the words that end one device communicator.
   *
   * @param number the device communicator's, drawn at random, so two hardly ever have one tag
   */
  public static int deviceDone(long number) {
    return DEVICE_DONE | Long.hashCode(number);
  }

  /**
   * Returns the purpose of an exchange, to be appended to its name in a message; or an empty text.
   */
  static String purpose(int tag) {
    return switch (tag) {
      case FINISH -> " of finish";
      case SPLIT -> " of split";
      case ALLOCATE -> " of allocate";
      case DEVICE -> " of the ranks' devices";
      default -> tag < 0 ? " of the end of the ranks' devices" : "";
    };
  }
}
