// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.ib;

/** The address of its port that all programs use, so that all take the same route. */
final class PortGid {
  private static final int FIRST_IPV4 = 1; // of a RoCE device; an InfiniBand fabric has 0

  private PortGid() {}

  static int index() {
    return Integer.getInteger("nitinol.bench.gid", FIRST_IPV4);
  }
}
