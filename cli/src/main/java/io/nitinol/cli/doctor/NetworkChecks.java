// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.doctor;

import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.InterfaceSearch;
import io.nitinol.toolkit.ShellWord;
import io.nitinol.toolkit.SizeText;
import io.nitinol.toolkit.SocketInterface;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Network interfaces, and the kernel's TCP. */
final class NetworkChecks {
  private static final int MANY = 64;

  /** Mb/s from which on the number of packets counts. */
  private static final long FAST = 10_000;

  /** The MTU of Ethernet, which every switch takes. */
  private static final long STANDARD_MTU = 1500;

  /** ARPHRD_ETHER of {@code if_arp.h}, as sysfs shows the type of an interface. */
  private static final String ETHERNET = "1";

  /** What the kernel itself lets a connection have on a machine of more than a few hundred MB. */
  private static final long USUAL_BUFFER = 4L << 20;

  /** For 100 Gb/s and a round trip of a millisecond. */
  private static final long LARGE_BUFFER = 16L << 20;

  private static final String INTERFACES = "interfaces";
  private static final String CONTROL = "congestion control";
  private static final String IPV4 = "/proc/sys/net/ipv4/";
  private static final String CORE = "/proc/sys/net/core/";

  /** Of the TCP plugin, which no module of the command may name. */
  private static final String CONGESTION = "NITINOL_SOCKET_CONGESTION";

  private NetworkChecks() {}

  static List<DoctorFinding> look(ExaminedHost host) {
    List<DoctorFinding> found = new ArrayList<>();
    found.addAll(DoctorCheck.run(INTERFACES, () -> interfaces(host)));
    found.addAll(buffers(host, "receive", "rmem", "NCCL_SOCKET_RCVBUF"));
    found.addAll(buffers(host, "send", "wmem", "NCCL_SOCKET_SNDBUF"));
    found.addAll(DoctorCheck.run(CONTROL, () -> List.of(congestion(host))));
    return found;
  }

  private static List<DoctorFinding> interfaces(ExaminedHost host) {
    Settings settings = host.settings();
    List<SocketInterface> all = InterfaceSearch.find(settings, null, MANY);
    List<DoctorFinding> found = new ArrayList<>();
    found.add(interfaces(host, all));
    for (SocketInterface each : all) {
      String name = "MTU of " + each.name();
      found.addAll(DoctorCheck.run(name, () -> List.of(mtu(host.files(), each.name()))));
    }
    return found;
  }

  static DoctorFinding interfaces(ExaminedHost host, List<SocketInterface> found) {
    Settings settings = host.settings();
    boolean chosen = settings.isSet(InterfaceSearch.IFNAME);
    if (found.isEmpty()) {
      return DoctorFinding.problem(
          INTERFACES,
          InterfaceSearch.explain(settings),
          "Ranks meet over TCP, so no job of several ranks can start.",
          host.unset(InterfaceSearch.IFNAME, InterfaceSearch.FAMILY));
    }
    String names =
        found.stream()
            .map(i -> i.name() + " " + i.address().getHostAddress())
            .collect(Collectors.joining(", "));
    return DoctorFinding.ok(
        INTERFACES,
        names
            + (chosen
                ? ErrorText.of(
                    " (chosen by %s=%s)",
                    InterfaceSearch.IFNAME, settings.get(InterfaceSearch.IFNAME))
                : " (the first kind found of: ib*, others, docker*, lo)"));
  }

  static DoctorFinding mtu(HostFiles files, String device) throws IOException {
    String name = "MTU of " + device;
    String directory = "/sys/class/net/" + device;
    String text = files.text(directory + "/mtu");
    if (text == null) {
      return DoctorFinding.unknown(name, "There is no " + directory + "/mtu.");
    }
    long mtu = HostFiles.number(text, directory + "/mtu");
    long speed = speed(files, directory);
    String seen =
        speed <= 0
            ? ErrorText.of("%d, at a speed that the kernel does not know", mtu)
            : ErrorText.of("%d at %s Gb/s", mtu, gigabits(speed));
    // A virtual cable, such as a container's, says 10 Gb/s whatever it is; and its MTU is not ours
    // to choose.
    boolean real = files.exists(directory + "/device") || files.exists(directory + "/bonding");
    boolean ethernet = files.textOr(directory + "/type", "").equals(ETHERNET);
    if (!real || !ethernet || speed < FAST || mtu > STANDARD_MTU) {
      return DoctorFinding.ok(name, seen);
    }
    // No command: one host that sends larger packets than the network takes reaches nobody.
    return DoctorFinding.note(
        name,
        seen,
        "Processors handle each packet, and packets of 9000 bytes are a sixth as many. Every host"
            + " and every switch on the way must take them, or connections stall. Try two hosts"
            + " first: with MTU 9000 on both, ping -M do -s 8972 HOST must get answers.");
  }

  private static String gigabits(long megabits) {
    return megabits % 1000 == 0
        ? Long.toString(megabits / 1000)
        : Double.toString(megabits / 1000.0);
  }

  /** Returns Mb/s, or 0 or less where the kernel tells none. */
  private static long speed(HostFiles files, String directory) throws IOException {
    String text = files.textOr(directory + "/speed", "");
    return text.isEmpty() ? 0 : HostFiles.number(text, directory + "/speed");
  }

  /**
   * Judges the buffers of one direction.
   *
   * @param kind the kernel's name of them
   * @param variable the one of the TCP plugin that asks for a size
   */
  static List<DoctorFinding> buffers(
      ExaminedHost host, String direction, String kind, String variable) {
    String name = ErrorText.of("TCP %s buffer", direction);
    List<DoctorFinding> found = new ArrayList<>();
    found.addAll(DoctorCheck.run(name, () -> List.of(automatic(host, name, kind))));
    found.addAll(
        DoctorCheck.run(
            variable, () -> asked(host, kind, variable, host.settings().raw(variable))));
    return found;
  }

  private static DoctorFinding automatic(ExaminedHost host, String name, String kind)
      throws IOException {
    String file = IPV4 + "tcp_" + kind;
    String[] sizes = host.files().required(file).split("\\s+", -1);
    if (sizes.length != 3) {
      throw new IOException(file + ": expected three numbers");
    }
    long most = HostFiles.number(sizes[2], file);
    String seen = "at most " + SizeText.of(most);
    return most >= USUAL_BUFFER
        ? DoctorFinding.ok(name, seen)
        : DoctorFinding.warning(
            name,
            seen,
            "A connection has no more than that under way, which bounds what it carries on a fast"
                + " or a long link.",
            larger(
                host,
                ErrorText.of(
                    "net.ipv4.tcp_%s='%s %s %d'", kind, sizes[0], sizes[1], LARGE_BUFFER)));
  }

  /** A container has this setting of its own, which only its start can change. */
  private static @Nullable String larger(ExaminedHost host, String setting) {
    return host.container() == null
        ? "sudo sysctl -w " + setting
        : host.containerWith("--sysctl " + setting);
  }

  /** The limit of the kernel counts only where a variable asks for a size. */
  private static List<DoctorFinding> asked(
      ExaminedHost host, String kind, String variable, @Nullable String raw) throws IOException {
    String asked = raw == null ? "" : raw.strip();
    if (!asked.matches("\\d{1,18}")) {
      return List.of(); // nitinol env tells of a text that is no number
    }
    long bytes = Long.parseLong(asked);
    String file = CORE + kind + "_max";
    long most = HostFiles.number(host.files().required(file), file);
    String seen = ErrorText.of("%s=%d, and net.core.%s_max=%d", variable, bytes, kind, most);
    return List.of(
        bytes <= most
            ? DoctorFinding.ok(variable, seen)
            : DoctorFinding.warning(
                variable,
                seen,
                "The kernel gives a connection no more than its limit.",
                host.unlessContained(
                    ErrorText.of("sudo sysctl -w net.core.%s_max=%d", kind, bytes))));
  }

  static DoctorFinding congestion(ExaminedHost host) throws IOException {
    String now = host.files().required(IPV4 + "tcp_congestion_control");
    String available = host.files().textOr(IPV4 + "tcp_available_congestion_control", "");
    String seen = available.isEmpty() ? now : ErrorText.of("%s, the kernel has %s", now, available);
    String raw = host.settings().raw(CONGESTION);
    String asked = raw == null ? "" : raw.strip();
    if (asked.isEmpty() || available.isEmpty()) {
      return DoctorFinding.ok(CONTROL, seen);
    }
    seen = ErrorText.of("%s, and %s=%s asks for another", seen, CONGESTION, asked);
    if (!List.of(available.split("\\s+", -1)).contains(asked)) {
      return DoctorFinding.warning(
          CONTROL,
          seen,
          "Connections keep the kernel's default unless it can load that one.",
          host.unlessContained(ErrorText.of("sudo modprobe %s", ShellWord.quoted("tcp_" + asked))));
    }
    return DoctorFinding.ok(CONTROL, ErrorText.of("%s=%s", CONGESTION, asked));
  }
}
