// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.cli.doctor.DoctorFinding.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NetworkChecksTest {
  private static final String NET = "/sys/class/net/eth0/";
  private static final String IPV4 = "/proc/sys/net/ipv4/";

  @TempDir private Path root;
  private WrittenHost written;

  @BeforeEach
  void begin() {
    written = new WrittenHost(root);
  }

  @ParameterizedTest
  @CsvSource({
    "1500, 25000, 1, device, NOTE",
    "1500, 10000, 1, device, NOTE",
    "1500, 10000, 1, bonding, NOTE",
    "9000, 25000, 1, device, OK",
    "1500, 1000, 1, device, OK",
    "1500, -1, 1, device, OK", // unknown, or a virtual machine's
    "1500, 10000, 1, upper, OK", // one end of a virtual cable
    "2044, 100000, 32, device, OK", // InfiniBand
    "1500, 100000, 32, device, OK"
  })
  void aStandardMtuOfAFastCardIsANote(
      String mtu, String speed, String type, String kind, State state) throws IOException {
    written.file(NET + "mtu", mtu).file(NET + "speed", speed).file(NET + "type", type);
    written.directory(NET + kind);
    DoctorFinding found = NetworkChecks.mtu(written.files(), "eth0");
    assertThat(found.state()).isEqualTo(state);
    assertThat(found.mend()).as("it takes all hosts and switches").isNull();
    if (state == State.NOTE) {
      assertThat(found.why()).contains("ping -M do -s 8972 HOST");
    }
  }

  @Test
  void showsMtuAndSpeed() throws IOException {
    written.file(NET + "mtu", "9000").file(NET + "speed", "2500");
    assertThat(NetworkChecks.mtu(written.files(), "eth0").seen()).isEqualTo("9000 at 2.5 Gb/s");
    // While the link is down the kernel answers EINVAL.
    Files.delete(root.resolve("sys/class/net/eth0/speed"));
    written.unreadable(NET + "speed");
    DoctorFinding down = NetworkChecks.mtu(written.files(), "eth0");
    assertThat(down)
        .isEqualTo(
            DoctorFinding.ok("MTU of eth0", "9000, at a speed that the kernel does not know"));
    assertThat(NetworkChecks.mtu(written.files(), "eth1").state()).isEqualTo(State.UNKNOWN);
  }

  @Test
  void withoutAnInterfaceNoJobStarts() {
    written.setting("NCCL_SOCKET_IFNAME", "=none").variable("NCCL_SOCKET_IFNAME", "=none");
    DoctorFinding found = NetworkChecks.interfaces(written.host(), List.of());
    assertThat(found.state()).isEqualTo(State.PROBLEM);
    assertThat(found.seen()).contains("no network interface fits NCCL_SOCKET_IFNAME==none");
    assertThat(found.mend()).isEqualTo("unset NCCL_SOCKET_IFNAME");
    written.variable("NCCL_SOCKET_FAMILY", "AF_INET6");
    assertThat(NetworkChecks.interfaces(written.host(), List.of()).mend())
        .isEqualTo("unset NCCL_SOCKET_IFNAME NCCL_SOCKET_FAMILY");
  }

  @Test
  void smallBuffersAreAWarningThatKeepsTheOtherSizes() throws IOException {
    written.file(IPV4 + "tcp_rmem", "4096\t131072\t4194304");
    assertThat(receive()).containsExactly(DoctorFinding.ok("TCP receive buffer", "at most 4 MiB"));
    written.file(IPV4 + "tcp_rmem", "4096\t131072\t4194303");
    assertThat(receive()).extracting(DoctorFinding::state).containsExactly(State.WARNING);
    assertThat(receive().getFirst().mend())
        .isEqualTo("sudo sysctl -w net.ipv4.tcp_rmem='4096 131072 16777216'");
    written.file("/.dockerenv", "");
    assertThat(receive().getFirst().mend())
        .isEqualTo("docker run --sysctl net.ipv4.tcp_rmem='4096 131072 16777216' ...");
  }

  @Test
  void buffersThatAreNotShownAreUnknown() throws IOException {
    assertThat(receive()).extracting(DoctorFinding::state).containsExactly(State.UNKNOWN);
    assertThat(receive().getFirst().why()).isEqualTo("there is no " + IPV4 + "tcp_rmem");
    written.file(IPV4 + "tcp_rmem", "a b c");
    assertThat(receive()).extracting(DoctorFinding::state).containsExactly(State.UNKNOWN);
  }

  /** Without a size that is asked for, the kernel's other limit counts. */
  @Test
  void theLimitOfTheKernelCountsForASizeThatIsAskedFor() throws IOException {
    written.file(IPV4 + "tcp_rmem", "4096 131072 6291456");
    written.file("/proc/sys/net/core/rmem_max", "212992");
    assertThat(receive()).hasSize(1);
    written.setting("NCCL_SOCKET_RCVBUF", "212992");
    assertThat(receive().getLast().state()).isEqualTo(State.OK);
    written.setting("NCCL_SOCKET_RCVBUF", "8388608");
    DoctorFinding found = receive().getLast();
    assertThat(found.name()).isEqualTo("NCCL_SOCKET_RCVBUF");
    assertThat(found.state()).isEqualTo(State.WARNING);
    assertThat(found.mend()).isEqualTo("sudo sysctl -w net.core.rmem_max=8388608");
    written.file("/.dockerenv", "");
    assertThat(receive().getLast().mend()).as("the limit is the host's").isNull();
    written.setting("NCCL_SOCKET_RCVBUF", "-1");
    assertThat(receive()).hasSize(1);
  }

  private List<DoctorFinding> receive() {
    return NetworkChecks.buffers(written.host(), "receive", "rmem", "NCCL_SOCKET_RCVBUF");
  }

  @Test
  void anAlgorithmThatTheKernelLacksIsAWarning() throws IOException {
    written.file(IPV4 + "tcp_congestion_control", "cubic");
    written.file(IPV4 + "tcp_available_congestion_control", "reno cubic");
    assertThat(NetworkChecks.congestion(written.host()))
        .isEqualTo(DoctorFinding.ok("congestion control", "cubic, the kernel has reno cubic"));
    written.setting("NITINOL_SOCKET_CONGESTION", "reno");
    assertThat(NetworkChecks.congestion(written.host()).state()).isEqualTo(State.OK);
    written.setting("NITINOL_SOCKET_CONGESTION", "bbr");
    DoctorFinding found = NetworkChecks.congestion(written.host());
    assertThat(found.state()).isEqualTo(State.WARNING);
    assertThat(found.mend()).isEqualTo("sudo modprobe tcp_bbr");
    written.file("/.dockerenv", "");
    assertThat(NetworkChecks.congestion(written.host()).mend()).isNull();
  }
}
