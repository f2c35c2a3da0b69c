// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim.cluster;

/**
 * The switches between hosts, with links of their own, numbered from 0. A route leads from the
 * network device of one host to that of another one; the devices' own links are not part of it.
 */
public interface SimulatedFabric {
  /** Returns how many links there are. */
  int links();

  /** Returns what a link carries, in bytes per microsecond. */
  double capacity(int link);

  /** Returns a link's name for reports. */
  String name(int link);

  /** Returns the most links that a route has. */
  int longest();

  /**
   * Finds a route; the same for the same ends.
   *
   * @param into where the links go, from {@code at} on
   * @return how many links it has
   */
  int route(int fromHost, int fromNic, int toHost, int toNic, int[] into, int at);

  /** Returns how many switches a route passes, from 1. */
  int switches(int fromHost, int fromNic, int toHost, int toNic);

  /** Appends the switches of a route, each with {@code >} behind. */
  void describe(int fromHost, int fromNic, int toHost, int toNic, StringBuilder to);

  /**
   * Returns after how many hosts the fabric looks the same: a route between hosts that are both so
   * many further on has the corresponding links. 0 if there is no such number.
   */
  int period();

  /** Returns the link that corresponds to one, among the first {@link #period} hosts. */
  int folded(int link);

  /** Returns the switch of a collective network that a device is on; from 0. */
  int leaf(int host, int nic);

  /** Returns the link from {@link #leaf} number {@code leaf} to the switch above, or -1. */
  int up(int leaf);

  /** Returns the link to {@link #leaf} number {@code leaf} from the switch above, or -1. */
  int down(int leaf);
}
