// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.InterfaceSearch.HostAddress;
import io.nitinol.toolkit.InterfaceSearch.HostInterface;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InterfaceSearchTest {
  private static final HostInterface LO = host("lo", "127.0.0.1/8", "::1/128");
  private static final HostInterface ETH0 =
      host("eth0", "fe80::1/64", "2001:db8::10/64", "192.0.2.10/24", "192.0.2.11/24");
  private static final HostInterface ETH1 = host("eth1", "fe80::2/64", "198.51.100.10/25");
  private static final HostInterface ETH10 = host("eth10", "203.0.113.1/24");
  private static final HostInterface ETH2 = host("eth2", "fe80::3/64", "2001:db8:2::3/64");
  private static final HostInterface ETH3 = host("eth3", "fe80::4/64");
  private static final HostInterface IB0 = host("ib0", "10.0.0.1/16");
  private static final HostInterface IB1 = host("ibs1", "10.1.0.1/16");
  private static final HostInterface DOCKER = host("docker0", "172.17.0.1/16");
  private static final HostInterface VIRBR = host("virbr0", "192.168.122.1/24");
  private static final Map<String, HostInterface> ALL =
      List.of(LO, ETH0, ETH1, ETH10, ETH2, ETH3, IB0, IB1, DOCKER, VIRBR).stream()
          .collect(Collectors.toMap(HostInterface::name, h -> h));

  /** Containers come and go: one that leaves between the list and the question costs itself. */
  @Test
  void anInterfaceThatHasJustGoneIsLeftOut() {
    assertThat(
            InterfaceSearch.present(
                List.of("eth0", "veth1", "down", "eth1"),
                name ->
                    switch (name) {
                      case "veth1" -> throw new SocketException("No such device");
                      case "down" -> null;
                      default -> ALL.get(name);
                    }))
        .containsExactly(ETH0, ETH1);
  }

  /** Interfaces there are; IFNAME; FAMILY; near; expected, best first. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      nullValues = "-",
      textBlock =
          """
          # Without the variable: ib, same subnet, others, docker, lo, virbr.
          lo eth0 eth1 ib0 ibs1 docker0 ; - ; - ; - ; ib0=10.0.0.1 ibs1=10.1.0.1
          lo eth0 eth1 ib0              ; - ; - ; 198.51.100.77 ; ib0=10.0.0.1
          lo eth0 eth1                  ; - ; - ; 198.51.100.77 ; eth1=198.51.100.10
          lo eth0 eth1                  ; - ; - ; 198.51.100.200 ; eth0=192.0.2.10 eth1=198.51.100.10
          lo eth0 eth1                  ; - ; - ; 2001:db8::99 ; eth0=2001:db8::10
          lo eth0                       ; - ; - ; 127.0.0.1 ; lo=127.0.0.1
          lo eth0 eth1 docker0 virbr0   ; - ; - ; - ; eth0=192.0.2.10 eth1=198.51.100.10
          lo docker0 virbr0             ; - ; - ; - ; docker0=172.17.0.1
          lo virbr0                     ; - ; - ; - ; lo=127.0.0.1
          virbr0                        ; - ; - ; - ; virbr0=192.168.122.1
          -                             ; - ; - ; - ; -
          # One address per name: IPv4, then global IPv6, then link-local with its scope.
          eth2 eth3                     ; - ; - ; - ; eth2=2001:db8:2::3 eth3=fe80::4%7
          eth0 eth1 eth2                ; - ; AF_INET6 ; - ; eth0=2001:db8::10 eth1=fe80::2%7 eth2=2001:db8:2::3
          eth0 eth1 eth2                ; - ; AF_INET ; - ; eth0=192.0.2.10 eth1=198.51.100.10
          lo eth0                       ; - ; AF_INET6 ; - ; eth0=2001:db8::10
          eth0 eth1                     ; - ; AF_INET6 ; 198.51.100.77 ; eth0=2001:db8::10 eth1=fe80::2%7
          # ::1 only where it was named or there is nothing else.
          lo eth10                      ; - ; AF_INET6 ; - ; lo=::1
          lo eth0                       ; lo ; AF_INET6 ; - ; lo=::1
          # The variable: prefixes, exact names, exclusion; then nothing else is tried.
          lo eth0 eth1 eth10            ; eth1 ; - ; - ; eth1=198.51.100.10 eth10=203.0.113.1
          lo eth0 eth1 eth10            ; =eth1 ; - ; - ; eth1=198.51.100.10
          lo eth0 eth1 eth10            ; =eth10,eth0 ; - ; - ; eth0=192.0.2.10 eth10=203.0.113.1
          lo eth0 eth1 eth10            ; =eth ; - ; - ; -
          lo eth0 eth1 docker0          ; ^eth ; - ; - ; lo=127.0.0.1 docker0=172.17.0.1
          lo eth0 eth1 eth10            ; ^=eth1,lo ; - ; - ; eth0=192.0.2.10 eth10=203.0.113.1
          lo eth0                       ; eth, lo ; - ; - ; lo=127.0.0.1 eth0=192.0.2.10
          lo eth0 ib0                   ; eth ; - ; 10.0.0.9 ; eth0=192.0.2.10
          lo eth0                       ; wlan ; - ; - ; -
          lo eth10                      ; eth10 ; AF_INET6 ; - ; -
          # NCCL ignores a value of one character, and an empty name fits nothing.
          lo eth0                       ; ^ ; - ; - ; eth0=192.0.2.10
          lo eth0                       ; eth0, ; - ; - ; eth0=192.0.2.10
          """)
  void picksAsNcclDoes(String there, String ifname, String family, String near, String expected)
      throws UnknownHostException {
    List<HostInterface> interfaces =
        there == null ? List.of() : List.of(there.split(" ", -1)).stream().map(ALL::get).toList();
    List<SocketInterface> found =
        InterfaceSearch.find(
            settings(ifname, family),
            interfaces,
            near == null ? null : InetAddress.getByName(near),
            16);
    assertThat(found.stream().map(InterfaceSearchTest::text).toList())
        .isEqualTo(expected == null ? List.of() : List.of(expected.split(" ", -1)));
  }

  @Test
  void returnsAtMostAsManyAsAskedFor() {
    List<HostInterface> interfaces = List.of(LO, ETH0, ETH1, ETH10);
    assertThat(InterfaceSearch.find(settings(null, null), interfaces, null, 2)).hasSize(2);
    assertThat(InterfaceSearch.find(settings("eth", null), interfaces, null, 1)).hasSize(1);
  }

  @Test
  void linkLocalSubnetIsOneOfItsLink() throws UnknownHostException {
    InetAddress otherLink =
        Inet6Address.getByAddress(null, InetAddress.getByName("fe80::99").getAddress(), 8);
    assertThat(
            InterfaceSearch.find(settings(null, null), List.of(ETH0, ETH3), otherLink, 1)
                .getFirst()
                .name())
        .isEqualTo("eth0");
    assertThat(
            InterfaceSearch.find(
                    settings(null, null),
                    List.of(ETH10, ETH3),
                    InetAddress.getByName("fe80::99"),
                    1)
                .getFirst()
                .name())
        .isEqualTo("eth3");
  }

  @Test
  void explanationNamesVariableValueAndInterfaces() {
    assertThat(InterfaceSearch.explain(settings("wlan", "AF_INET6"), List.of(LO, ETH10)))
        .contains("NCCL_SOCKET_IFNAME=wlan (from the application)")
        .contains("NCCL_SOCKET_FAMILY=AF_INET6 (from the application)")
        .contains("lo (127.0.0.1, 0:0:0:0:0:0:0:1), eth10 (203.0.113.1)");
    assertThat(InterfaceSearch.explain(settings(null, null), List.of()))
        .contains("this host has no interface that is up");
  }

  @Test
  void thisHostHasALoopbackInterface() {
    Settings settings = settings("lo", null);
    assertThat(InterfaceSearch.find(settings, null, 16))
        .as("on %s", InterfaceSearch.hostInterfaces())
        .allSatisfy(found -> assertThat(found.name()).startsWith("lo"))
        .isNotEmpty();
  }

  private static Settings settings(String ifname, String family) {
    Map<String, String> values = new HashMap<>();
    if (ifname != null) {
      values.put("NCCL_SOCKET_IFNAME", ifname);
    }
    if (family != null) {
      values.put("NCCL_SOCKET_FAMILY", family);
    }
    return Settings.of(values);
  }

  private static String text(SocketInterface found) {
    String address = found.address().getHostAddress();
    return found.name() + "=" + address.replaceFirst("(^|:)(0(:|$))+", "::").replace(":::", "::");
  }

  private static HostInterface host(String name, String... addresses) {
    return new HostInterface(
        name, List.of(addresses).stream().map(InterfaceSearchTest::address).toList());
  }

  private static HostAddress address(String text) {
    String[] parts = text.split("/", -1);
    try {
      InetAddress address = InetAddress.getByName(parts[0]);
      if (address.isLinkLocalAddress()) {
        address = Inet6Address.getByAddress(null, address.getAddress(), 7);
      }
      return new HostAddress(address, Integer.parseInt(parts[1]));
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(text, e);
    }
  }
}
