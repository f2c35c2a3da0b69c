// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.nitinol.cli.doctor.DoctorFinding.State;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RdmaChecksTest {
  private static final String CARD = "/sys/class/infiniband/mlx5_0/";
  private static final String NODE = "/dev/infiniband/uverbs3";

  @TempDir private Path root;
  private WrittenHost written;

  @BeforeEach
  void begin() {
    written = new WrittenHost(root);
  }

  private void card(String state) throws IOException {
    written.file(CARD + "ports/1/state", state);
    written.file(CARD + "ports/1/rate", "100 Gb/sec (4X EDR)");
    written.file(CARD + "ports/1/link_layer", "InfiniBand");
  }

  @Test
  void nothingThereIsANote() throws IOException {
    assertThat(RdmaChecks.look(written.host()))
        .extracting(DoctorFinding::name, DoctorFinding::state)
        .containsExactly(
            tuple("RDMA verbs", State.NOTE),
            tuple("RDMA devices", State.NOTE),
            tuple("libfabric", State.NOTE));
  }

  @Test
  void theProvidersOfLibfabricAreListed() throws IOException {
    written.fabric(() -> List.of("udp", "tcp"));
    assertThat(RdmaChecks.fabric(written.host()))
        .element(1)
        .isEqualTo(DoctorFinding.ok("libfabric providers", "udp, tcp"));
    written.file("/etc/os-release", "ID=debian");
    card("4: ACTIVE");
    DoctorFinding slow = RdmaChecks.fabric(written.host()).get(1);
    assertThat(slow.state()).isEqualTo(State.WARNING);
    assertThat(slow.mend()).isEqualTo("sudo apt-get install libfabric1 ibverbs-providers");
    written.variable("FI_PROVIDER", "tcp");
    assertThat(RdmaChecks.fabric(written.host()).get(1).seen())
        .isEqualTo("udp, tcp (FI_PROVIDER=tcp)");
    assertThat(RdmaChecks.fabric(written.host()).get(1).mend()).isEqualTo("unset FI_PROVIDER");
    written.fabric(() -> List.of("verbs;ofi_rxm", "tcp"));
    assertThat(RdmaChecks.fabric(written.host()).get(1).state()).isEqualTo(State.OK);
  }

  @Test
  void aLibfabricWithoutProvidersIsAWarning() throws IOException {
    written.fabric(() -> {
      throw new IOException("fi_getinfo returns -61 (No data available)");
    });
    DoctorFinding none = RdmaChecks.fabric(written.host()).get(1);
    assertThat(none.state()).isEqualTo(State.WARNING);
    assertThat(none.seen()).isEqualTo("fi_getinfo returns -61 (No data available)");
    assertThat(none.mend()).isNull();
    written.variable("FI_PROVIDER", "efb");
    assertThat(RdmaChecks.fabric(written.host()).get(1).mend()).isEqualTo("unset FI_PROVIDER");
  }

  @Test
  void aLibfabricThatIsAskedForHasToBeThere() throws IOException {
    written.file("/etc/os-release", "ID=debian").setting("NCCL_NET", "Libfabric");
    assertThat(RdmaChecks.fabric(written.host()))
        .singleElement()
        .satisfies(found -> {
          assertThat(found.state()).isEqualTo(State.PROBLEM);
          assertThat(found.mend()).isEqualTo("sudo apt-get install libfabric1");
        });
  }

  @Test
  void aDeviceNeedsTheLibrary() throws IOException {
    card("4: ACTIVE");
    DoctorFinding unknown = RdmaChecks.library(written.host());
    assertThat(unknown.state()).isEqualTo(State.WARNING);
    assertThat(unknown.mend()).isNull();
    written.file("/etc/os-release", "NAME=x\nID=ubuntu");
    assertThat(RdmaChecks.library(written.host()).mend())
        .isEqualTo("sudo apt-get install libibverbs1 ibverbs-providers");
    written.file("/etc/os-release", "ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"");
    assertThat(RdmaChecks.library(written.host()).mend()).isEqualTo("sudo dnf install libibverbs");
    written.library("libibverbs.so.1");
    assertThat(RdmaChecks.library(written.host()).state()).isEqualTo(State.OK);
  }

  @Test
  void aDeviceThatCanBeUsedIsOk() throws IOException {
    card("4: ACTIVE");
    written.file("/sys/class/infiniband_verbs/abi_version", "6");
    written.file("/sys/class/infiniband_verbs/uverbs3/ibdev", "mlx5_0").file(NODE, "");
    assertThat(devices())
        .containsExactly(
            DoctorFinding.ok("RDMA devices", "mlx5_0 port 1 ACTIVE InfiniBand 100 Gb/sec (4X EDR)"),
            DoctorFinding.ok("access to mlx5_0", NODE));
  }

  @Test
  void oneActivePortIsEnough() throws IOException {
    card("1: DOWN");
    assertThat(devices().getFirst().state()).isEqualTo(State.WARNING);
    written.file(CARD + "ports/2/state", "4: ACTIVE");
    assertThat(devices().getFirst().state()).isEqualTo(State.OK);
  }

  @Test
  void portsThatAreNotShownAreNotAccused() throws IOException {
    written.directory(CARD + "ports/1");
    assertThat(devices().getFirst().state()).isEqualTo(State.OK);
    assertThat(devices().getFirst().seen()).contains("in an unknown state");
  }

  @Test
  void saysWhyADeviceCannotBeOpened() throws IOException {
    card("4: ACTIVE");
    assertThat(devices().getLast().mend()).isEqualTo("sudo modprobe ib_uverbs");
    written.file("/sys/class/infiniband_verbs/uverbs0/ibdev", "mlx5_1").file("/.dockerenv", "");
    assertThat(devices().getLast().state()).isEqualTo(State.WARNING);
    assertThat(devices().getLast().mend()).as("modules are the host's").isNull();
    written.file("/sys/class/infiniband_verbs/uverbs3/ibdev", "mlx5_0");
    DoctorFinding absent = devices().getLast();
    assertThat(absent.seen()).isEqualTo("there is no " + NODE);
    assertThat(absent.mend())
        .isEqualTo("docker run --device /dev/infiniband --ulimit memlock=-1 ...");
    written.file(NODE, "").closed(NODE);
    DoctorFinding closed = devices().getLast();
    assertThat(closed.state()).isEqualTo(State.WARNING);
    assertThat(closed.seen()).isEqualTo("this user may not read and write " + NODE);
    assertThat(closed.mend()).as("groups are the host's").isNull();
  }

  @Test
  void theGroupOfTheFileIsJoinedUnlessItIsRoots() {
    Set<PosixFilePermission> group = PosixFilePermissions.fromString("rw-rw----");
    assertThat(RdmaChecks.permission(NODE, "rdma", group))
        .startsWith("sudo usermod -aG rdma \"$USER\"");
    assertThat(RdmaChecks.permission(NODE, "root", group)).isEqualTo("sudo chmod 666 " + NODE);
  }

  @Test
  void aGroupIsJoinedOnlyWhereThatOpensTheFile() {
    Set<PosixFilePermission> group = PosixFilePermissions.fromString("rw-rw----");
    assertThat(RdmaChecks.joining("video", group)).startsWith("sudo usermod -aG video ");
    assertThat(RdmaChecks.joining("root", group)).isNull();
    assertThat(RdmaChecks.joining("1005", group)).as("it has no name").isNull();
    for (String less : List.of("rw-------", "rw-r-----", "rw--w----")) {
      assertThat(RdmaChecks.joining("video", PosixFilePermissions.fromString(less))).isNull();
    }
  }

  private List<DoctorFinding> devices() throws IOException {
    return RdmaChecks.devices(written.host());
  }
}
