// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit;

import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which network interfaces to use, in NCCL's order; mirrors {@code ncclFindInterfaces}.
 *
 * <p>Where {@code NCCL_SOCKET_IFNAME} says something, exactly the interfaces it names are taken, in
 * the order in which the system lists them, and nothing else is tried. Otherwise the first of these
 * steps that finds any interface wins: names that begin with {@code ib}; an interface in the subnet
 * of a given address (that of {@code NCCL_COMM_ID}); everything but {@code docker*}, {@code lo*}
 * and {@code virbr*}; {@code docker*}; {@code lo*}; {@code virbr*}. {@code NCCL_SOCKET_FAMILY}
 * leaves only the addresses of one family.
 *
 * <p>An interface counts once, with its first IPv4 address, or else its first IPv6 address that is
 * not link-local, or else its first link-local one, which keeps its scope. The IPv6 loopback
 * address counts only where {@code NCCL_SOCKET_IFNAME} names its interface or there is nothing
 * else; NCCL never takes it.
 */
@AnyThread
public final class InterfaceSearch {
  /** Which interfaces sockets may use; NCCL's syntax. */
  public static final Variable<String> IFNAME =
      Variable.text(
          "NCCL_SOCKET_IFNAME",
          "[^][=]name[,name...]",
          "",
          "Network interfaces to use: names that begin with one of these; with = exactly these"
              + " names; with ^ all but these.");

  /** Which address family sockets may use; NCCL's values. */
  public static final Variable<String> FAMILY =
      Variable.choice(
          "NCCL_SOCKET_FAMILY",
          List.of("AF_INET", "AF_INET6", "any"),
          "any",
          "Address family of sockets: AF_INET is IPv4, AF_INET6 is IPv6.");

  /**
   * An interface of this host that is up.
   *
   * @param name its name, such as {@code eth0}
   * @param addresses all its addresses, in the system's order
   */
  record HostInterface(String name, List<HostAddress> addresses) {}

  /**
   * An address and its subnet.
   *
   * @param address the address, IPv6 link-local ones with the scope
   * @param prefixLength the number of leading bits that are the subnet's
   */
  record HostAddress(InetAddress address, int prefixLength) {}

  /** Where Linux lists all interfaces, those without an address too. */
  private static final Path DEVICES = Path.of("/proc/net/dev");

  private InterfaceSearch() {}

  /**
   * Finds the interfaces of this host to use.
   *
   * @param settings where {@code NCCL_SOCKET_IFNAME} and {@code NCCL_SOCKET_FAMILY} are read
   * @param sameSubnetAs prefer the interface in this address's subnet, see the class; or null
   * @param max how many to return at most
   * @return those found, best first; empty where none fits, which {@link #explain} puts in words
   * @throws UncheckedIOException when the system does not list its interfaces
   */
  public static List<SocketInterface> find(
      Settings settings, @Nullable InetAddress sameSubnetAs, int max) {
    return find(settings, hostInterfaces(), sameSubnetAs, max);
  }

  /** As {@link #find(Settings, InetAddress, int)}, among given interfaces. */
  static List<SocketInterface> find(
      Settings settings,
      List<HostInterface> interfaces,
      @Nullable InetAddress sameSubnetAs,
      int max) {
    String family = settings.get(FAMILY);
    String names = settings.get(IFNAME).strip();
    if (names.length() > 1) { // NCCL ignores a single character
      return take(interfaces, NameFilter.parse(names), family, true, max);
    }
    List<SocketInterface> found = take(interfaces, NameFilter.parse("ib"), family, false, max);
    if (found.isEmpty() && sameSubnetAs != null) {
      found = inSubnetOf(sameSubnetAs, interfaces, family, max);
    }
    for (String step : List.of("^docker,lo,virbr", "docker", "lo", "virbr")) {
      if (found.isEmpty()) {
        found = take(interfaces, NameFilter.parse(step), family, false, max);
      }
    }
    return found.isEmpty()
        ? take(interfaces, NameFilter.parse("lo"), family, true, max) // even ::1
        : found;
  }

  /**
   * Says why {@link #find(Settings, InetAddress, int)} found nothing: the variables, their values
   * and where they come from, and the interfaces that there are.
   *
   * @param settings where {@code NCCL_SOCKET_IFNAME} and {@code NCCL_SOCKET_FAMILY} are read
   * @return one sentence without a full stop
   */
  public static String explain(Settings settings) {
    List<HostInterface> usable = hostInterfaces();
    return explain(settings, usable) + others(usable);
  }

  /** Returns the interfaces that the JDK does not list, or not as usable. */
  private static String others(List<HostInterface> usable) {
    try (Stream<String> lines = Files.lines(DEVICES)) {
      String names =
          lines
              .filter(line -> line.contains(":"))
              .map(line -> line.substring(0, line.indexOf(':')).strip())
              .filter(name -> usable.stream().noneMatch(each -> each.name().equals(name)))
              .collect(Collectors.joining(", "));
      return names.isEmpty() ? "" : "; down or without an address: " + names;
    } catch (IOException | UncheckedIOException e) {
      return ""; // another system than Linux: those that can be used are known
    }
  }

  /** As {@link #explain(Settings)}, of given interfaces. */
  static String explain(Settings settings, List<HostInterface> interfaces) {
    StringBuilder text = new StringBuilder("no network interface fits");
    String separator = " ";
    for (Variable<String> variable : List.of(IFNAME, FAMILY)) {
      if (settings.isSet(variable)) {
        text.append(separator)
            .append(variable.name())
            .append('=')
            .append(settings.raw(variable.name()))
            .append(" (from ")
            .append(settings.source(variable))
            .append(')');
        separator = " and ";
      }
    }
    return text.append("; this host has ").append(describe(interfaces)).toString();
  }

  private static String describe(List<HostInterface> interfaces) {
    if (interfaces.isEmpty()) {
      return "no interface that is up and has an address";
    }
    return interfaces.stream()
        .map(each ->
            each.name()
                + each.addresses().stream()
                    .map(a -> a.address().getHostAddress())
                    .collect(Collectors.joining(", ", " (", ")")))
        .collect(Collectors.joining(", "));
  }

  /** Lists the interfaces of this host that are up and have an address, by their index. */
  static List<HostInterface> hostInterfaces() {
    try {
      return present(
          NetworkInterface.networkInterfaces()
              .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
              .toList(),
          InterfaceSearch::look);
    } catch (SocketException e) {
      throw new UncheckedIOException("cannot list the network interfaces of this host", e);
    }
  }

  /** Asks the system about one interface of its list. */
  @FunctionalInterface
  interface Look<T> {
    /** Returns the interface, or null where it is down or has no address. */
    @Nullable HostInterface at(T listed) throws IOException;
  }

  /** Returns those of the {@code listed} interfaces that can be used. */
  static <T> List<HostInterface> present(List<T> listed, Look<T> look) {
    List<HostInterface> up = new ArrayList<>();
    for (T each : listed) {
      HostInterface found;
      try {
        found = look.at(each);
      } catch (IOException e) {
        continue; // gone since it was listed, as those of containers may be at any moment
      }
      if (found != null) {
        up.add(found);
      }
    }
    return up;
  }

  private static @Nullable HostInterface look(NetworkInterface listed) throws IOException {
    if (!listed.isUp()) {
      return null;
    }
    List<HostAddress> addresses = new ArrayList<>();
    for (InterfaceAddress bound : listed.getInterfaceAddresses()) {
      addresses.add(
          new HostAddress(
              withoutNeedlessScope(bound.getAddress()), bound.getNetworkPrefixLength()));
    }
    // The JDK lists each family's addresses last first.
    return addresses.isEmpty()
        ? null
        : new HostInterface(listed.getName(), List.copyOf(addresses.reversed()));
  }

  /** The JDK gives every IPv6 address of an interface a scope; only link-local ones need it. */
  private static InetAddress withoutNeedlessScope(InetAddress address) throws UnknownHostException {
    if (address instanceof Inet6Address && !address.isLinkLocalAddress()) {
      return InetAddress.getByAddress(address.getAddress());
    }
    return address;
  }

  private static List<SocketInterface> take(
      List<HostInterface> interfaces,
      NameFilter filter,
      String family,
      boolean evenLoopback6,
      int max) {
    List<SocketInterface> found = new ArrayList<>();
    for (HostInterface each : interfaces) {
      if (found.size() < max && filter.accepts(each.name())) {
        InetAddress address = best(each, family, evenLoopback6);
        if (address != null) {
          found.add(new SocketInterface(each.name(), address));
        }
      }
    }
    return found;
  }

  private static @Nullable InetAddress best(
      HostInterface host, String family, boolean evenLoopback6) {
    InetAddress best = null;
    int bestRank = Integer.MAX_VALUE;
    for (HostAddress each : host.addresses()) {
      InetAddress address = each.address();
      int rank;
      if (!isOf(family, address)
          || (address instanceof Inet6Address && address.isLoopbackAddress() && !evenLoopback6)) {
        continue;
      } else if (address instanceof Inet4Address) {
        rank = 0;
      } else {
        rank = address.isLinkLocalAddress() ? 2 : 1;
      }
      if (rank < bestRank) {
        best = address;
        bestRank = rank;
      }
    }
    return best;
  }

  private static List<SocketInterface> inSubnetOf(
      InetAddress target, List<HostInterface> interfaces, String family, int max) {
    List<SocketInterface> found = new ArrayList<>();
    for (HostInterface each : interfaces) {
      for (HostAddress own : each.addresses()) {
        if (found.size() < max
            && isOf(family, own.address())
            && sharePrefix(own.address(), target, own.prefixLength())) {
          found.add(new SocketInterface(each.name(), own.address()));
          break;
        }
      }
    }
    return found;
  }

  private static boolean isOf(String family, InetAddress address) {
    return switch (family) {
      case "AF_INET" -> address instanceof Inet4Address;
      case "AF_INET6" -> address instanceof Inet6Address;
      default -> true;
    };
  }

  private static boolean sharePrefix(InetAddress one, InetAddress other, int bits) {
    byte[] a = one.getAddress();
    byte[] b = other.getAddress();
    if (a.length != b.length || bits < 0) {
      return false;
    }
    if (one instanceof Inet6Address a6
        && other instanceof Inet6Address b6
        && one.isLinkLocalAddress()
        && b6.getScopeId() != 0
        && a6.getScopeId() != b6.getScopeId()) {
      return false;
    }
    for (int bit = 0; bit < bits; bit++) {
      int mask = 0x80 >> (bit & 7);
      if (((a[bit >> 3] ^ b[bit >> 3]) & mask) != 0) {
        return false;
      }
    }
    return true;
  }

  /** The syntax of {@code NCCL_SOCKET_IFNAME}. */
  private record NameFilter(boolean inverted, boolean exact, List<String> names) {

    static NameFilter parse(String text) {
      boolean inverted = text.startsWith("^");
      String rest = inverted ? text.substring(1) : text;
      boolean exact = rest.startsWith("=");
      rest = exact ? rest.substring(1) : rest;
      List<String> names = new ArrayList<>();
      for (String name : rest.split(",", -1)) {
        if (!name.isBlank()) { // an empty prefix would fit every name
          names.add(name.strip());
        }
      }
      return new NameFilter(inverted, exact, List.copyOf(names));
    }

    boolean accepts(String name) {
      boolean named = names.stream().anyMatch(n -> exact ? name.equals(n) : name.startsWith(n));
      return named != inverted;
    }
  }
}
