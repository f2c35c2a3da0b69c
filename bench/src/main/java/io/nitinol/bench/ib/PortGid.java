// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.ib;

/** Which address of its port everybody uses, so that all go the same way. */
final class PortGid {
  private static final int FIRST_IPV4 = 1; // of a RoCE device; an InfiniBand fabric has 0

  private PortGid() {}

  static int index() {
    return Integer.getInteger("nitinol.bench.gid", FIRST_IPV4);
  }
}
