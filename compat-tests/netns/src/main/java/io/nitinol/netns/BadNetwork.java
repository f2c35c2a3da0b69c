// SPDX-License-Identifier: Apache-2.0
package io.nitinol.netns;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A network that delays, loses and reorders packets of 1500 bytes. A process between TUN devices
 * does so ({@code wire.c}, built with {@code cc}). It is like the kernel's netem, which many
 * kernels lack, and it has a seed.
 */
public final class BadNetwork implements AutoCloseable {
  /** The device's name, on both sides. */
  public static final String DEVICE = "bad0";

  private static final String FAR_DEVICE = "bad1"; // until it is on its side
  private static final String SUBNET = "10.99.0.";
  private static final String SUBNET6 = "fd99::";
  private static final String INSIDE = "192.168.99.2";

  /** How packets fare, each way. */
  public record Conditions(Duration delay, double loss, double reorder, long seed) {
    /**
     * Checks the values.
     *
     * @param delay how much later a packet comes
     * @param loss which part of the packets is lost, 0 to 1
     * @param reorder which part is not delayed and so overtakes those before it
     * @param seed the seed of all random choices
     */
    public Conditions {
      if (!(loss >= 0 && loss <= 1 && reorder >= 0 && reorder <= 1)) {
        throw new IllegalArgumentException(
            "loss " + loss + ", reorder " + reorder + ": expected parts from 0 to 1");
      }
    }

    @Override
    public String toString() {
      return "delay "
          + delay.toNanos() / 1e6
          + " ms, loss "
          + loss * 100
          + " %, "
          + reorder * 100
          + " % out of order, seed "
          + seed;
    }
  }

  private final Namespace near;
  private final @Nullable Namespace far;
  private final Holder wire;

  private BadNetwork(Namespace near, @Nullable Namespace far, Holder wire) {
    this.near = near;
    this.far = far;
    this.wire = wire;
  }

  /**
   * Makes one host whose packets to itself go through the bad network, at its IPv4 and IPv6
   * addresses on the device. So two programs on this host talk over that network.
   *
   * @throws Unavailable when the machine does not permit it
   */
  public static BadNetwork loop(Conditions conditions) throws IOException, Unavailable {
    Namespace host = Namespace.open();
    try {
      BadNetwork network = new BadNetwork(host, null, wire(host, conditions, DEVICE));
      // Its own packets would stay inside: the rule for local addresses comes first, for all.
      String own = SUBNET + 1;
      String own6 = SUBNET6 + 1;
      host.run(
          """
          sysctl -qw net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.bad0.rp_filter=0 net.ipv4.conf.bad0.accept_local=1
          ip addr add %1$s/32 dev bad0
          ip link set bad0 up txqueuelen 10000
          ip rule add pref 1 iif bad0 lookup local
          ip rule add pref 2 to %1$s lookup 100
          ip rule add pref 3 lookup local
          ip rule del pref 0
          ip route add %1$s/32 dev bad0 src %1$s table 100
          [ -e /proc/sys/net/ipv6 ] || exit 0
          ip -6 addr add %2$s/128 dev bad0 nodad
          ip -6 rule add pref 1 iif bad0 lookup local
          ip -6 rule add pref 2 to %2$s lookup 100
          ip -6 rule add pref 3 lookup local
          ip -6 rule del pref 0
          ip -6 route add %2$s/128 dev bad0 src %2$s table 100
          """
              .formatted(own, own6));
      return network;
    } catch (IOException | Unavailable e) {
      host.close(); // the wire ends with this process
      throw e;
    }
  }

  /**
   * Makes two hosts with the bad network between them.
   *
   * @throws Unavailable when the machine does not permit it
   */
  public static BadNetwork between(Conditions conditions) throws IOException, Unavailable {
    return between(conditions, List.of(), SUBNET + 2, "");
  }

  /**
   * Makes two hosts, the far one behind a router that translates its address ({@code 192.168.99.2})
   * and lets nobody connect to it. The near host has a default route into that network, where all
   * but answers to the far host is lost.
   *
   * @throws Unavailable when the machine does not permit it
   */
  public static BadNetwork translating() throws IOException, Unavailable {
    return between(
        new Conditions(Duration.ZERO, 0, 0, 1),
        List.of(INSIDE, SUBNET + 2),
        INSIDE,
        "; ip route add default dev bad0");
  }

  private static BadNetwork between(
      Conditions conditions, List<String> translation, String farAddress, String routes)
      throws IOException, Unavailable {
    Hosts hosts = Hosts.open();
    try {
      Namespace near = hosts.near();
      Namespace far = hosts.far();
      List<String> arguments = new ArrayList<>(List.of(DEVICE, FAR_DEVICE));
      arguments.addAll(translation);
      Holder wire = wire(near, conditions, arguments.toArray(new String[0]));
      near.run("ip link set " + FAR_DEVICE + " netns " + far.pid());
      far.run("ip link set " + FAR_DEVICE + " name " + DEVICE);
      BadNetwork network = new BadNetwork(near, far, wire);
      for (Namespace each : hosts.both()) {
        String address = each == near ? network.address(near) : farAddress;
        each.run(
            "ip link set bad0 up txqueuelen 10000; ip addr add %s/24 dev bad0%s"
                .formatted(address, routes));
      }
      return network;
    } catch (IOException | Unavailable e) {
      hosts.close(); // the wire ends with this process
      throw e;
    }
  }

  private static Holder wire(Namespace in, Conditions conditions, String... devices)
      throws IOException, Unavailable {
    Path directory = Files.createTempDirectory("nitinol-wire");
    Path program = directory.resolve("wire");
    try {
      new CSource(BadNetwork.class, "wire.c").build(program);
      List<String> command =
          new ArrayList<>(
              List.of(
                  program.toString(),
                  Long.toString(conditions.delay().toNanos() / 1000),
                  Double.toString(conditions.loss()),
                  Double.toString(conditions.reorder()),
                  Long.toString(conditions.seed())));
      command.addAll(List.of(devices));
      return Holder.start(in.command(command));
    } finally {
      Files.deleteIfExists(directory.resolve("wire.c"));
      Files.deleteIfExists(program);
      Files.delete(directory);
    }
  }

  /** Returns one host, or the only one. */
  public Namespace near() {
    return near;
  }

  /**
   * Returns the other host.
   *
   * @throws IllegalStateException when there is only one
   */
  public Namespace far() {
    if (far == null) {
      throw new IllegalStateException("a loop has one host");
    }
    return far;
  }

  /**
   * Returns the IPv4 address of {@link #near} or {@link #far}: behind a router that translates, the
   * one that others see.
   */
  public String address(Namespace of) {
    return SUBNET + (of == near ? 1 : 2);
  }

  /** Removes the network and returns what the wire has counted, human-readable. */
  public String end() throws IOException {
    return wire.end();
  }

  @Override
  public void close() throws IOException {
    try (near;
        Namespace second = far) {
      wire.close();
    }
  }
}
