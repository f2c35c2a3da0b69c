// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.nitinol.netns.Cabling;
import io.nitinol.netns.Namespace;
import io.nitinol.netns.TcpTable;
import io.nitinol.netns.Unavailable;
import io.nitinol.spi.testing.FirstRows;
import io.nitinol.spi.testing.QuickRows;
import io.nitinol.spi.testing.Thorough;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which address every listener takes on hosts with three interfaces, and that nothing listens
 * elsewhere; the table in {@code docs/net-socket.md}. The two hosts share {@code eth0} ({@code
 * 10.0.0.0/24}), {@code eth1} ({@code 10.1.0.0/24}) and {@code eth2} ({@code fd00:2::/64}).
 */
class HostListenersTest {
  /** Far longer than a busy machine needs; the way to see what is there instead. */
  private static final Duration LIMIT = Duration.ofMinutes(4);

  private static final long POLL_MILLIS = 10;

  /** So many elements that two channels carry them, over both of two devices. */
  private static final int MANY = 8 << 20;

  @TempDir private Path directory;

  private Cabling hosts;

  @BeforeEach
  void lay() throws Exception {
    try {
      hosts = Cabling.open(2);
      hosts.lay(0, "eth0", "10.0.0.1/24", 1, "eth0", "10.0.0.2/24");
      hosts.lay(0, "eth1", "10.1.0.1/24", 1, "eth1", "10.1.0.2/24");
      hosts.lay(0, "eth2", "fd00:2::1/64", 1, "eth2", "fd00:2::2/64");
    } catch (Unavailable e) {
      System.err.println("HostListenersTest: no hosts with several interfaces: " + e.getMessage());
      abort(e.getMessage());
    }
  }

  @AfterEach
  void takeAway() throws Exception {
    if (hosts != null) {
      hosts.close();
    }
  }

  /**
   * The three variables; the interface at whose address the ranks meet, that of a rank's own
   * listener, and those of the listeners for data. {@code %} stands for a link-local address.
   */
  @ParameterizedTest(name = "{0} {1} {2}")
  @QuickRows({1, 7})
  @CsvSource(
      delimiter = ';',
      nullValues = "-",
      textBlock =
          """
          -           ; -        ; 10.1.0.1:4711   ; eth1  ; eth1  ; eth1
          -           ; -        ; -               ; eth0  ; eth0  ; eth0
          eth1        ; -        ; -               ; eth1  ; eth1  ; eth1
          =eth2       ; -        ; -               ; eth2  ; eth2  ; eth2
          ^lo,eth0    ; -        ; -               ; eth1  ; eth1  ; eth1
          eth0        ; -        ; 10.1.0.1:4711   ; eth1  ; eth0  ; eth0
          eth1,eth0   ; -        ; -               ; eth0  ; eth0  ; eth0 eth1
          -           ; -        ; [fd00:2::1]:4711; eth2  ; eth2  ; eth2
          -           ; AF_INET6 ; -               ; %eth0 ; %eth0 ; %eth0
          =eth1       ; AF_INET6 ; -               ; %eth1 ; %eth1 ; %eth1
          =eth1       ; -        ; [%eth1]:4711    ; %eth1 ; eth1  ; eth1
          -           ; AF_INET6 ; [fd00:2::1]:4711; eth2  ; eth2  ; eth2
          """)
  @FirstRows(1)
  void eachListenerTakesOneAddress(
      String names, String family, String meeting, String root, String own, String data)
      throws Exception {
    Map<String, String> variables = new HashMap<>();
    variables.put("NCCL_SOCKET_IFNAME", names == null ? "" : names);
    if (family != null) {
      variables.put("NCCL_SOCKET_FAMILY", family);
    }
    if (meeting == null) {
      variables.put("NITINOL_UNIQUE_ID_FILE", directory.resolve("id").toString());
    } else {
      variables.put("NCCL_COMM_ID", meeting.replace("%eth1", linkLocal(0, "eth1")));
    }
    List<String> devices = List.of(data.split(" ", -1));
    if (devices.size() > 1) {
      variables.putAll(
          Map.of("NCCL_ALGO", "ring", "NCCL_MIN_NCHANNELS", "2", "NCCL_MAX_NCHANNELS", "2"));
    }
    try (RankProcesses ranks =
        RankProcesses.meeting(
            2,
            (rank, command) -> hosts.host(rank).command(command),
            rank -> {
              Map<String, String> all = new HashMap<>(variables);
              all.put("NCCL_HOSTID", "host" + rank);
              return all;
            },
            "gated",
            "1",
            Integer.toString(devices.size() > 1 ? MANY : 1000))) {
      ranks.tell(0);
      awaitListeners(0, at(0, root, own));
      ranks.tell(1);
      for (int rank = 0; rank < 2; rank++) {
        ranks.await(rank, "initialised");
        awaitListeners(rank, at(rank, own)); // the meeting is over
      }
      List<String> all = new ArrayList<>(devices);
      all.add(own);
      try (Lookout lookout = new Lookout()) {
        ranks.tell(0);
        ranks.tell(1);
        for (int rank = 0; rank < 2; rank++) {
          ranks.await(rank, "right");
        }
        for (int rank = 0; rank < 2; rank++) {
          assertThat(lookout.seen(rank)).isSubsetOf(at(rank, all.toArray(new String[0])));
        }
      }
      for (int rank = 0; rank < 2; rank++) {
        awaitListeners(rank, at(rank, own)); // all data connections are there
        assertThat(addresses(TcpTable.connected(hosts.host(rank))))
            .isSubsetOf(at(rank, all.toArray(new String[0])))
            .containsAll(at(rank, data.split(" ", -1)));
      }
      ranks.tell(0);
      ranks.tell(1);
      for (int rank = 0; rank < 2; rank++) {
        ranks.await(rank, "closed");
        assertThat(ranks.exit(rank)).isZero();
      }
    }
  }

  /** The switch listens where it was told to, its data and the ranks' on interfaces allowed. */
  @Test
  @Thorough
  void aSwitchListensWhereItIsTold() throws Exception {
    Map<String, String> allowed = Map.of("NCCL_SOCKET_IFNAME", "eth0,eth1");
    try (SwitchProcess node =
        SwitchProcess.startBy(hosts.host(0)::command, "10.1.0.1:0", allowed, "--open")) {
      assertThat(addresses(TcpTable.listening(hosts.host(0))))
          .containsExactly("10.1.0.1", "127.0.0.1"); // and its statistics
      try (Lookout lookout = new Lookout();
          RankProcesses ranks =
              RankProcesses.meeting(
                  2,
                  (rank, command) -> hosts.host(rank).command(command),
                  rank -> {
                    Map<String, String> all = new HashMap<>(allowed);
                    all.put("NCCL_HOSTID", "host" + rank);
                    all.put("NITINOL_UNIQUE_ID_FILE", directory.resolve("id").toString());
                    all.put("NCCL_COLLNET_ENABLE", "1");
                    all.put("NCCL_ALGO", "CollnetDirect,CollnetChain");
                    all.put("NITINOL_COLLNET_SWITCH", node.address());
                    return all;
                  },
                  "rounds",
                  "3",
                  "1000")) {
        for (int rank = 0; rank < 2; rank++) {
          ranks.await(rank, "right");
        }
        assertThat(lookout.seen(0)).isSubsetOf("10.0.0.1", "10.1.0.1", "127.0.0.1");
        assertThat(lookout.seen(1)).isSubsetOf("10.0.0.2", "10.1.0.2");
      }
    }
  }

  /**
   * Looks again and again where anything listens. It may miss a listener for data, which is there
   * for milliseconds; a test of the toolkit's connections shows that one is at its address alone.
   */
  private final class Lookout implements AutoCloseable {
    private final List<Set<String>> seen =
        List.of(ConcurrentHashMap.newKeySet(), ConcurrentHashMap.newKeySet());
    private volatile boolean done;
    private final FutureTask<Void> looking = new FutureTask<>(this::look);

    Lookout() {
      Thread.ofVirtual().start(looking);
    }

    private Void look() throws IOException {
      while (!done) {
        for (int host = 0; host < 2; host++) {
          seen.get(host).addAll(addresses(TcpTable.listening(hosts.host(host))));
        }
      }
      return null;
    }

    Set<String> seen(int host) {
      return Set.copyOf(seen.get(host));
    }

    @Override
    public void close() throws ExecutionException, InterruptedException {
      done = true;
      looking.get();
    }
  }

  /** Returns the address of each interface, in order of their texts. */
  private List<String> at(int host, String... interfaces) throws IOException {
    List<String> addresses = new ArrayList<>();
    for (String each : interfaces) {
      String address =
          switch (each) {
            case "eth0" -> "10.0.0." + (host + 1);
            case "eth1" -> "10.1.0." + (host + 1);
            case "eth2" -> "fd00:2::" + (host + 1);
            default -> linkLocal(host, each.substring(1));
          };
      addresses.add(InetAddress.ofLiteral(address).getHostAddress());
    }
    return addresses.stream().sorted().toList();
  }

  private String linkLocal(int host, String device) throws IOException {
    Namespace of = hosts.host(host);
    for (String line : of.run("cat /proc/net/if_inet6").lines().toList()) {
      if (line.startsWith("fe80") && line.endsWith(" " + device)) {
        return line.substring(0, 32).replaceAll("....(?=.)", "$0:");
      }
    }
    throw new IOException(device + " has no link-local address");
  }

  private static List<String> addresses(List<InetSocketAddress> sockets) {
    return sockets.stream().map(each -> each.getAddress().getHostAddress()).sorted().toList();
  }

  private void awaitListeners(int host, List<String> expected) throws Exception {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    List<String> found = addresses(TcpTable.listening(hosts.host(host)));
    while (!found.equals(expected) && System.nanoTime() - deadline < 0) {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      found = addresses(TcpTable.listening(hosts.host(host)));
    }
    assertThat(found).as("listeners of host %d", host).isEqualTo(expected);
  }
}
