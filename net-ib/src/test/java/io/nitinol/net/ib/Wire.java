// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib;

import static io.nitinol.net.ib.Command.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The guest's cable: veth0 with rxe0 at one end, veth1 with rxe1 at the other; where it has a
 * second one, the same with 2 and 3.
 */
final class Wire implements AutoCloseable {
  private static final String MEND =
      """
      mend() {
        [ -e "/sys/class/net/$1" ] || return 0
        ip link set "$1" mtu 4200 up
        tc qdisc del dev "$1" root 2>/dev/null || true
      }
      # Going down, an interface forgets its neighbours, even those that it was told for good.
      introduce() {
        [ -e "/sys/class/net/$1" ] || return 0
        ip neighbour replace "$3" lladdr "$(cat "/sys/class/net/$2/address")" dev "$1"
      }
      tc qdisc del dev lo root 2>/dev/null || true
      for each in veth0 veth1 veth2 veth3; do mend $each; done
      introduce veth0 veth1 10.77.0.2
      introduce veth1 veth0 10.77.0.1
      introduce veth2 veth3 10.78.0.2
      introduce veth3 veth2 10.78.0.1
      """;

  private boolean broken;

  /** Brings one end down, and so both ports. */
  void down(String end) {
    broken = true;
    run("ip", "link", "set", end, "down");
    List<String> ports =
        end.compareTo("veth2") < 0 ? List.of("rxe0", "rxe1") : List.of("rxe2", "rxe3");
    Cable.until("both ports down", () -> ports.stream().noneMatch(Wire::isActive));
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
      run("sh", "-ec", MEND);
      Cable.until(
          "all ports active",
          () ->
              Stream.of("rxe0", "rxe1", "rxe2", "rxe3")
                  .allMatch(each -> Files.notExists(file(each)) || isActive(each)));
      broken = false;
    }
  }

  private static boolean isActive(String device) {
    try {
      return Files.readString(file(device)).contains("ACTIVE");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Path file(String device) {
    return Path.of("/sys/class/infiniband/" + device + "/ports/1/state");
  }
}
