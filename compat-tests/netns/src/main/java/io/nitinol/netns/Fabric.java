// SPDX-License-Identifier: Apache-2.0
package io.nitinol.netns;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Hosts at switches. Each host has a cable, {@code eth0}, to a port of its leaf switch; where there
 * are several leaves, each has a cable to a port of the spine. A switch is a namespace with a
 * bridge, which forwards. It has an address, too, at which all ports reach a program inside it.
 */
public final class Fabric implements AutoCloseable {
  /** The name of a host's device. */
  public static final String DEVICE = "eth0";

  /** The name of a switch's device, which has its address. */
  public static final String BRIDGE = "br0";

  private static final String UPLINK = "uplink";
  private static final String SUBNET = "10.97.";
  private static final int MOST = 64;

  private static final Pattern SENT = Pattern.compile("Sent (\\d+) bytes");

  /** An end of a cable. */
  private record Port(Namespace namespace, String device) {}

  private final List<Namespace> hosts = new ArrayList<>();
  private final List<Namespace> leaves = new ArrayList<>();
  private final List<Namespace> all = new ArrayList<>();
  private final List<Port> ports = new ArrayList<>();

  private Fabric() {}

  /**
   * Makes hosts and switches.
   *
   * @param leaves how many leaf switches; more than one have a spine above them
   * @param hostsPerLeaf how many hosts each of them has
   * @throws Unavailable when the kernel has no veth devices or bridges, or does not permit them
   */
  public static Fabric open(int leaves, int hostsPerLeaf) throws IOException, Unavailable {
    if (leaves < 1 || hostsPerLeaf < 1 || leaves * hostsPerLeaf > MOST) {
      throw new IllegalArgumentException(
          leaves + " leaves with " + hostsPerLeaf + " hosts: expected 1 to " + MOST + " hosts");
    }
    Fabric fabric = new Fabric();
    try {
      fabric.build(leaves, hostsPerLeaf);
      return fabric;
    } catch (IOException | Unavailable e) {
      fabric.close();
      throw e;
    }
  }

  private void build(int leafCount, int hostsPerLeaf) throws IOException, Unavailable {
    Namespace spine = add(Namespace.open());
    becomeSwitch(spine, SUBNET + "3.1");
    for (int i = 0; i < leafCount; i++) {
      Namespace leaf = spine;
      if (leafCount > 1) {
        leaf = add(spine.beside());
        becomeSwitch(leaf, SUBNET + "2." + (i + 1));
        cable(spine, "port" + i, leaf, UPLINK);
        leaf.run("ip link set uplink master br0");
      }
      leaves.add(leaf);
      for (int j = 0; j < hostsPerLeaf; j++) {
        Namespace host = add(spine.beside());
        hosts.add(host);
        // A spine that is the only leaf has no other ports.
        cable(leaf, "port" + j, host, DEVICE);
        host.run("ip addr add " + address(host) + "/16 dev eth0");
      }
    }
    for (Port port : ports) {
      port.namespace().awaitCarrier(port.device());
    }
  }

  private Namespace add(Namespace namespace) {
    all.add(namespace);
    return namespace;
  }

  private static void becomeSwitch(Namespace namespace, String address)
      throws IOException, Unavailable {
    namespace.ask(
        "ip link add br0 type bridge; ip link set br0 up; ip addr add %s/16 dev br0"
            .formatted(address));
  }

  private void cable(Namespace above, String port, Namespace below, String device)
      throws IOException, Unavailable {
    above.ask(
        "ip link add %s type veth peer name %s netns %d; ip link set %1$s master br0 up"
            .formatted(port, device, below.pid()));
    below.run("ip link set " + device + " up");
    ports.add(new Port(above, port));
    ports.add(new Port(below, device));
  }

  /** Returns the hosts, leaf by leaf. */
  public List<Namespace> hosts() {
    return List.copyOf(hosts);
  }

  /** Returns the switches that have hosts. */
  public List<Namespace> leaves() {
    return List.copyOf(leaves);
  }

  /** Returns the switch above all others; the only one where there is but one. */
  public Namespace spine() {
    return all.getFirst();
  }

  /** Returns the leaf switch of a host. */
  public Namespace leaf(Namespace host) {
    return leaves.get(hosts.indexOf(host) * leaves.size() / hosts.size());
  }

  /** Returns the IPv4 address of a host or a switch. */
  public String address(Namespace of) {
    if (of == spine()) {
      return SUBNET + "3.1";
    }
    int host = hosts.indexOf(of);
    return host >= 0 ? SUBNET + "1." + (host + 1) : SUBNET + "2." + (leaves.indexOf(of) + 1);
  }

  /**
   * Bounds the rate at each end of each cable, at switches and hosts alike, by a token bucket of a
   * millisecond's worth. A queue of 50 ms is before it, in which packets wait instead of being
   * lost.
   *
   * @param megabits bits per second, Ethernet headers of 14 bytes included, in millions
   * @throws Unavailable when the kernel has no tbf
   */
  public void shape(int megabits) throws IOException, Unavailable {
    // A bucket below the largest segment that TCP hands down as a whole would let nothing through.
    int bucket = Math.max(megabits * 125, 128 << 10);
    for (Port port : ports) {
      port.namespace()
          .ask(
              "tc qdisc replace dev %s root tbf rate %dmbit burst %d latency 50ms"
                  .formatted(port.device(), megabits, bucket));
    }
  }

  /**
   * Returns how many bytes a host's interface has sent, as it counts them: with one header for each
   * packet that TCP hands down. Such a packet may be many frames on a wire.
   */
  public long sent(Namespace host) throws IOException {
    for (String line : host.run("cat /proc/net/dev").lines().toList()) {
      String[] words = line.strip().split("[: ]+", -1);
      if (words[0].equals(DEVICE)) {
        return Long.parseLong(words[9]);
      }
    }
    throw new IOException("/proc/net/dev has no " + DEVICE);
  }

  /**
   * Returns how many bytes of frames a host has sent since {@link #shape}, with the headers of each
   * frame of 1514 bytes.
   */
  public long sentInFrames(Namespace host) throws IOException {
    String words = host.run("tc -s qdisc show dev eth0");
    Matcher sent = SENT.matcher(words);
    if (!sent.find()) {
      throw new IOException("tc -s qdisc show dev eth0 says nothing of bytes: " + words.strip());
    }
    return Long.parseLong(sent.group(1));
  }

  @Override
  public void close() throws IOException {
    Namespace.closeAll(all);
  }
}
