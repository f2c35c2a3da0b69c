// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim.cluster;

/** One switch that all devices are on, and that carries whatever they do. */
public record SingleSwitch() implements SimulatedFabric {
  @Override
  public int links() {
    return 0;
  }

  @Override
  public double capacity(int link) {
    throw new IndexOutOfBoundsException(link);
  }

  @Override
  public String name(int link) {
    throw new IndexOutOfBoundsException(link);
  }

  @Override
  public int longest() {
    return 0;
  }

  @Override
  public int route(int fromHost, int fromNic, int toHost, int toNic, int[] into, int at) {
    return 0;
  }

  @Override
  public int switches(int fromHost, int fromNic, int toHost, int toNic) {
    return 1;
  }

  @Override
  public void describe(int fromHost, int fromNic, int toHost, int toNic, StringBuilder to) {
    to.append("switch>");
  }

  @Override
  public int period() {
    return 1;
  }

  @Override
  public int folded(int link) {
    return link;
  }

  @Override
  public int leaf(int host, int nic) {
    return 0;
  }

  @Override
  public int up(int leaf) {
    return -1;
  }

  @Override
  public int down(int leaf) {
    return -1;
  }
}
