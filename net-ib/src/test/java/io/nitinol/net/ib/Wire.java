// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib;

import static io.nitinol.net.ib.Command.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The guest's cable: veth0 with rxe0 at one end, veth1 with rxe1 at the other. */
final class Wire implements AutoCloseable {
  private static final String MEND =
      """
      for each in veth0 veth1; do ip link set $each mtu 4200 up; done
      for each in lo veth0 veth1; do tc qdisc del dev $each root 2>/dev/null; done
      # Going down, an interface forgets its neighbours, even those that it was told for good.
      ip neighbour replace 10.77.0.2 lladdr $(cat /sys/class/net/veth1/address) dev veth0
      ip neighbour replace 10.77.0.1 lladdr $(cat /sys/class/net/veth0/address) dev veth1
      """;

  private boolean broken;

  /** Brings one end down, and so both ports. */
  void down(String end) {
    broken = true;
    run("ip", "link", "set", end, "down");
    Cable.until("both ports down", () -> !isActive("rxe0") && !isActive("rxe1"));
  }

  /** Sets the MTU of one end, in bytes. */
  void mtu(String end, int bytes) {
    broken = true;
    run("ip", "link", "set", end, "mtu", String.valueOf(bytes));
  }

  /** Loses all that is sent from here on, which no port notices. */
  void lose(String from) {
    broken = true;
    run("tc", "qdisc", "replace", "dev", from, "root", "netem", "loss", "100%");
  }

  /** Loses packets above 2000 bytes, as a switch with a smaller MTU does. */
  void loseLarge(String from) {
    broken = true;
    run(
        "sh",
        "-ec",
        "tc qdisc replace dev "
            + from
            + " root handle 1: netem delay 1us; tc qdisc add dev "
            + from
            + " parent 1:1 tbf rate 10gbit burst 2000 latency 50ms");
  }

  /** Makes both ends ask who the other is. */
  void forgetNeighbours() {
    broken = true;
    run("ip", "neighbour", "flush", "all", "nud", "all");
    run(
        "sh",
        "-ec",
        "for each in veth0 veth1; do ip neighbour flush dev $each nud permanent; done");
  }

  /** Returns how many packets one end has sent. */
  static long sent(String end) {
    try {
      return Long.parseLong(
          Files.readString(Path.of("/sys/class/net/" + end + "/statistics/tx_packets")).strip());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Mends everything. */
  @Override
  public void close() {
    if (broken) {
      run("sh", "-c", MEND);
      Cable.until("both ports active", () -> isActive("rxe0") && isActive("rxe1"));
      broken = false;
    }
  }

  private static boolean isActive(String device) {
    try {
      return Files.readString(Path.of("/sys/class/infiniband/" + device + "/ports/1/state"))
          .contains("ACTIVE");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
