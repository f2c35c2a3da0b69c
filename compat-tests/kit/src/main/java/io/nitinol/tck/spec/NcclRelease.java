// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.spec;

/**
 * A release of NCCL, and the versions of the plugin interface that it loads: the newest of them
 * that a library has.
 */
public enum NcclRelease {
  /** The oldest in wide use, for which most plugins of version 6 were made. */
  NCCL_2_17("2.17", 4, 6),
  /** The newest that this kit knows. */
  NCCL_2_30("2.30", 6, 12);

  private final String number;
  private final int oldest;
  private final int newest;

  NcclRelease(String number, int oldest, int newest) {
    this.number = number;
    this.oldest = oldest;
    this.newest = newest;
  }

  /** Returns the number, such as 2.17. */
  public String number() {
    return number;
  }

  /** Returns whether it loads a plugin of this version of the interface. */
  public boolean loads(int version) {
    return version >= oldest && version <= newest;
  }

  /** Returns whether it is this release or a later one. */
  boolean isSince(String release) {
    return minor(number) >= minor(release);
  }

  private static int minor(String release) {
    if (!release.startsWith("2.")) {
      throw new IllegalArgumentException("NCCL " + release + ": expected 2 and a minor number");
    }
    return Integer.parseInt(release.substring(2));
  }
}
