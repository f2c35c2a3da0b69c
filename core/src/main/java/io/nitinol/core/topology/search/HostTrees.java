// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.search;

/**
 * The two binary trees of hosts, in which a host that is a leaf of one is mostly none of the other;
 * mirrors {@code ncclGetDtree}.
 */
final class HostTrees {
  /**
   * A host's place.
   *
   * @param up the host above, -1 for the root
   * @param first the first host below, -1 for none
   * @param second the second one
   * @param isSecondChild whether this is the second one of the host above
   */
  record Place(int up, int first, int second, boolean isSecondChild) {}

  private HostTrees() {}

  /** Returns the place in the tree whose leaves are the odd hosts. */
  static Place first(int hosts, int host) {
    int bit = 1;
    while (bit < hosts && (bit & host) == 0) {
      bit <<= 1;
    }
    if (host == 0) {
      return new Place(-1, -1, hosts > 1 ? bit >> 1 : -1, false);
    }
    int up = (host ^ bit) | (bit << 1);
    if (up >= hosts) {
      up = host ^ bit;
    }
    int low = bit >> 1;
    int first = low == 0 ? -1 : host - low;
    int second = low == 0 ? -1 : host + low;
    while (second >= hosts) {
      second = low == 0 ? -1 : host + low;
      low >>= 1;
    }
    return new Place(up, first, second, host > up);
  }

  /** Returns the place in the other tree: the mirror of the first, or, of an odd number, moved. */
  static Place second(int hosts, int host) {
    if (hosts % 2 == 1) {
      Place moved = first(hosts, (host - 1 + hosts) % hosts);
      return new Place(
          moved(moved.up, hosts),
          moved(moved.first, hosts),
          moved(moved.second, hosts),
          moved.isSecondChild);
    }
    Place mirror = first(hosts, hosts - 1 - host);
    return new Place(
        mirrored(mirror.up, hosts),
        mirrored(mirror.first, hosts),
        mirrored(mirror.second, hosts),
        mirror.isSecondChild);
  }

  private static int moved(int host, int hosts) {
    return host < 0 ? -1 : (host + 1) % hosts;
  }

  private static int mirrored(int host, int hosts) {
    return host < 0 ? -1 : hosts - 1 - host;
  }
}
