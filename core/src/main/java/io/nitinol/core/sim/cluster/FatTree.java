// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim.cluster;

import io.nitinol.toolkit.ErrorText;

/**
 * A rail-optimised fat tree of two levels: network device {@code r} of every host is on a leaf
 * switch of rail {@code r}, a leaf has the devices of neighbouring hosts, and every leaf has a link
 * to each spine. Messages between leaves take the spine of the host they go to, as the routing of
 * InfiniBand fat trees does, so that a ring has every link to itself.
 *
 * @param hosts how many hosts
 * @param rails how many devices each host has
 * @param hostsPerLeaf how many hosts a leaf has
 * @param spines how many spines
 * @param uplinkRate what the link between a leaf and a spine carries, in bytes per microsecond
 */
public record FatTree(int hosts, int rails, int hostsPerLeaf, int spines, double uplinkRate)
    implements SimulatedFabric {

  /** Checks the numbers. */
  public FatTree {
    if (hosts < 1 || rails < 1 || hostsPerLeaf < 1 || spines < 1 || !(uplinkRate > 0)) {
      throw new IllegalArgumentException("a fat tree needs hosts, rails, leaves and spines");
    }
    long links = 2L * Math.ceilDiv(hosts, hostsPerLeaf) * rails * spines;
    if (links > MOST_LINKS) {
      throw new IllegalArgumentException(
          ErrorText.of(
              "%d links between leaves and spines; expected at most %d", links, MOST_LINKS));
    }
  }

  private static final long MOST_LINKS = 16 << 20;

  private int leaves() {
    return Math.ceilDiv(hosts, hostsPerLeaf);
  }

  @Override
  public int leaf(int host, int nic) {
    return nic % rails * leaves() + host / hostsPerLeaf;
  }

  private int spine(int toHost) {
    return toHost % hostsPerLeaf % spines;
  }

  @Override
  public int links() {
    return 2 * leaves() * rails * spines;
  }

  @Override
  public double capacity(int link) {
    return uplinkRate;
  }

  @Override
  public String name(int link) {
    int pair = link / 2;
    String leaf = leafName(pair / spines);
    String spine = "spine" + pair % spines;
    return link % 2 == 0 ? leaf + ">" + spine : spine + ">" + leaf;
  }

  private String leafName(int leaf) {
    return "leaf" + leaf / leaves() + "." + leaf % leaves();
  }

  @Override
  public int longest() {
    return 2;
  }

  @Override
  public int route(int fromHost, int fromNic, int toHost, int toNic, int[] into, int at) {
    int from = leaf(fromHost, fromNic);
    int to = leaf(toHost, toNic);
    if (from == to) {
      return 0;
    }
    int spine = spine(toHost);
    into[at] = 2 * (from * spines + spine);
    into[at + 1] = 2 * (to * spines + spine) + 1;
    return 2;
  }

  @Override
  public int switches(int fromHost, int fromNic, int toHost, int toNic) {
    return leaf(fromHost, fromNic) == leaf(toHost, toNic) ? 1 : 3;
  }

  @Override
  public void describe(int fromHost, int fromNic, int toHost, int toNic, StringBuilder to) {
    int from = leaf(fromHost, fromNic);
    int last = leaf(toHost, toNic);
    to.append(leafName(from)).append('>');
    if (from != last) {
      to.append("spine").append(spine(toHost)).append('>').append(leafName(last)).append('>');
    }
  }

  @Override
  public int period() {
    return hosts % hostsPerLeaf == 0 ? hostsPerLeaf : 0;
  }

  @Override
  public int folded(int link) {
    int pair = link / 2;
    int rail = pair / spines / leaves();
    return 2 * (rail * leaves() * spines + pair % spines) + link % 2;
  }

  @Override
  public int up(int leaf) {
    return leaves() * rails == 1 ? -1 : 2 * leaf * spines;
  }

  @Override
  public int down(int leaf) {
    return leaves() * rails == 1 ? -1 : 2 * leaf * spines + 1;
  }
}
