// SPDX-License-Identifier: Apache-2.0
package io.nitinol.netns;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Hosts with cables between them as a test wants them: any number of interfaces each, of any name.
 * A cable is a pair of veth devices; addresses and routes are the test's own, by {@link
 * Namespace#run}. IPv6 addresses can be used at once, without the kernel's search for duplicates.
 */
public final class Cabling implements AutoCloseable {
  private static final int MOST = 8;

  private static final String WITHOUT_SEARCH =
      """
      if [ -e /proc/sys/net/ipv6 ]; then
        sysctl -qw net.ipv6.conf.default.accept_dad=0 net.ipv6.conf.all.accept_dad=0
      fi
      """;

  private final List<Namespace> hosts = new ArrayList<>();

  private Cabling() {}

  /**
   * Makes hosts without cables.
   *
   * @throws Unavailable as {@link Namespace#open} does
   */
  public static Cabling open(int hosts) throws IOException, Unavailable {
    if (hosts < 1 || hosts > MOST) {
      throw new IllegalArgumentException(hosts + " hosts: expected 1 to " + MOST);
    }
    Cabling cabling = new Cabling();
    try {
      for (int i = 0; i < hosts; i++) {
        Namespace host = i == 0 ? Namespace.open() : cabling.host(0).beside();
        cabling.hosts.add(host);
        host.run(WITHOUT_SEARCH);
      }
      return cabling;
    } catch (IOException | Unavailable e) {
      cabling.close();
      throw e;
    }
  }

  /** Returns a host by its number, from 0. */
  public Namespace host(int number) {
    return hosts.get(number);
  }

  /**
   * Lays a cable and waits until both ends are up.
   *
   * @throws Unavailable when the kernel has no veth devices or does not permit them
   */
  public void lay(int one, String device, int other, String otherDevice)
      throws IOException, Unavailable {
    Namespace near = host(one);
    Namespace far = host(other);
    near.ask(
        "ip link add dev %s type veth peer name %s netns %d"
            .formatted(device, otherDevice, far.pid()));
    near.run("ip link set %s up".formatted(device));
    far.run("ip link set %s up".formatted(otherDevice));
    near.awaitCarrier(device);
    far.awaitCarrier(otherDevice);
  }

  /**
   * The same, with an address at each end.
   *
   * @param address of the first host, with the length of the prefix: {@code 10.0.0.1/24}
   */
  public void lay(
      int one, String device, String address, int other, String otherDevice, String otherAddress)
      throws IOException, Unavailable {
    lay(one, device, other, otherDevice);
    host(one).run("ip addr add %s dev %s".formatted(address, device));
    host(other).run("ip addr add %s dev %s".formatted(otherAddress, otherDevice));
  }

  /**
   * Makes a host a switch between its devices. It drops frames that are too long for the device
   * they leave by, and tells nobody.
   *
   * @throws Unavailable when the kernel has no bridges
   */
  public void bridge(int number, String... devices) throws IOException, Unavailable {
    host(number).ask("ip link add br0 type bridge; ip link set br0 up");
    for (String device : devices) {
      host(number).run("ip link set %s master br0".formatted(device));
    }
  }

  @Override
  public void close() throws IOException {
    Namespace.closeAll(hosts);
  }
}
