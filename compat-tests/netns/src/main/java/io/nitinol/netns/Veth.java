// SPDX-License-Identifier: Apache-2.0
package io.nitinol.netns;

import java.io.IOException;

/** Two hosts and a cable between them: {@code eth0} on both sides, a pair of veth devices. */
public final class Veth implements AutoCloseable {
  /** The device's name on both sides. */
  public static final String DEVICE = "eth0";

  private static final String SUBNET = "10.98.0.";

  private final Hosts hosts;

  private Veth(Hosts hosts) {
    this.hosts = hosts;
  }

  /**
   * Makes the hosts.
   *
   * @throws Unavailable when the kernel has no veth devices or does not permit them
   */
  public static Veth open() throws IOException, Unavailable {
    Hosts hosts = Hosts.open();
    try {
      Veth veth = new Veth(hosts);
      hosts.near().ask("ip link add eth0 type veth peer name eth0 netns " + hosts.far().pid());
      for (Namespace each : hosts.both()) {
        each.run("ip addr add " + veth.address(each) + "/24 dev eth0; ip link set eth0 up");
      }
      for (Namespace each : hosts.both()) {
        each.awaitCarrier(DEVICE);
      }
      return veth;
    } catch (IOException | Unavailable e) {
      hosts.close();
      throw e;
    }
  }

  /** Returns one host. */
  public Namespace near() {
    return hosts.near();
  }

  /** Returns the other host. */
  public Namespace far() {
    return hosts.far();
  }

  /** Returns the address of {@link #near} or {@link #far}. */
  public String address(Namespace of) {
    return SUBNET + (of == near() ? 1 : 2);
  }

  /**
   * Bounds the rate each way, by a token bucket of a millisecond's worth.
   *
   * @param megabits bits per second, Ethernet headers of 14 bytes included, in millions
   * @throws Unavailable when the kernel has no tbf
   */
  public void shape(int megabits) throws IOException, Unavailable {
    // A bucket below the largest segment that TCP hands down as a whole would let nothing through.
    int bucket = Math.max(megabits * 125, 128 << 10);
    for (Namespace each : hosts.both()) {
      each.ask(
          "tc qdisc replace dev eth0 root tbf rate %dmbit burst %d latency 5ms"
              .formatted(megabits, bucket));
    }
  }

  @Override
  public void close() throws IOException {
    hosts.close();
  }
}
