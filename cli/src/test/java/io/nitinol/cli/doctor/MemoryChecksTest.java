// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.cli.doctor.DoctorFinding.State;
import io.nitinol.cli.doctor.MemoryChecks.Room;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryChecksTest {
  private static final long MIB = 1L << 20;

  @TempDir private Path root;
  private WrittenHost written;

  @BeforeEach
  void begin() throws IOException {
    written = new WrittenHost(root);
    written.file("/proc/meminfo", "MemTotal: 1000 kB\nHugePages_Total:       3");
    limits("1048576 1048576", "unlimited unlimited");
  }

  private void limits(String files, String locked) throws IOException {
    written.file(
        "/proc/self/limits",
        """
        Limit                     Soft Limit           Hard Limit           Units
        Max open files            %s files
        Max locked memory         %s bytes\
        """
            .formatted(files.replace(" ", "      "), locked.replace(" ", "      ")));
  }

  @Test
  void theDefaultOfAContainerIsLittleSharedMemory() {
    Room small = new Room(64 * MIB, 64 * MIB, "tmpfs");
    DoctorFinding inDocker = MemoryChecks.shared("/dev/shm", small, "docker run --shm-size=4g ...");
    assertThat(inDocker.state()).isEqualTo(State.WARNING);
    assertThat(inDocker.seen()).isEqualTo("/dev/shm: 64 MiB, 64 MiB free");
    assertThat(inDocker.mend()).isEqualTo("docker run --shm-size=4g ...");
    assertThat(MemoryChecks.shared("/dev/shm", small, null).mend()).isNull();
  }

  @Test
  void theSystemsOwnDirectoryAloneIsMadeLarger() {
    assertThat(MemoryChecks.larger(written.host(), "/dev/shm"))
        .isEqualTo("sudo mount -o remount,size=4G /dev/shm");
    assertThat(MemoryChecks.larger(written.host(), "/a b"))
        .isEqualTo("sudo mount -o remount,size=4G '/a b'");
    written.variable("KUBERNETES_SERVICE_HOST", "10.0.0.1");
    assertThat(MemoryChecks.larger(written.host(), "/dev/shm"))
        .as("no container can mount")
        .isNull();
    WrittenHost other = new WrittenHost(root).setting("NITINOL_SHM_DIR", "/m");
    assertThat(MemoryChecks.larger(other.host(), "/m")).isNull();
  }

  @Test
  void whatTakesTheRoomIsLookedFor() {
    Room full = new Room(65536 * MIB, MIB, "tmpfs");
    DoctorFinding found = MemoryChecks.shared("/dev/shm", full, "make it larger");
    assertThat(found.state()).isEqualTo(State.WARNING);
    assertThat(found.mend()).as("4 GiB would be less").isNull();
    assertThat(found.why()).contains("ls -l /dev/shm");
  }

  @Test
  void noBlocksAreNoLimit() {
    assertThat(MemoryChecks.shared("/m", new Room(0, 0, "ramfs"), "make it larger"))
        .isEqualTo(DoctorFinding.ok("shared memory", "/m: ramfs without a limit"));
  }

  @ParameterizedTest
  @CsvSource({
    "4096, 4000, tmpfs, OK",
    "4096, 32, tmpfs, OK",
    "4096, 31, tmpfs, WARNING",
    "256, 256, tmpfs, OK",
    "255, 255, tmpfs, WARNING",
    "4096, 4000, ext4, WARNING"
  })
  void judgesSharedMemory(long total, long free, String type, State state) {
    Room room = new Room(total * MIB, free * MIB, type);
    assertThat(MemoryChecks.shared("/m", room, null).state()).isEqualTo(state);
  }

  @Test
  void aDirectoryThatCannotBeUsedIsAProblem() throws IOException {
    DoctorFinding absent = shared();
    assertThat(absent.state()).isEqualTo(State.PROBLEM);
    assertThat(absent.seen()).isEqualTo("/dev/shm: no such directory");
    assertThat(absent.mend()).contains("mount -t tmpfs tmpfs /dev/shm");
    written.directory("/dev/shm").closed("/dev/shm");
    DoctorFinding closed = shared();
    assertThat(closed.state()).isEqualTo(State.PROBLEM);
    assertThat(closed.mend()).isEqualTo("sudo chmod 1777 /dev/shm");
    written.file("/.dockerenv", "");
    assertThat(shared().mend()).as("root of a container is not root").isNull();
  }

  @Test
  void theSettingsSayWhichDirectoryCounts() throws IOException {
    written.setting("NITINOL_SHM_DIR", "/memory");
    assertThat(shared().seen()).isEqualTo("/memory: no such directory");
    assertThat(shared().mend()).as("set by a file").isNull();
    written.variable("NITINOL_SHM_DIR", "/memory");
    assertThat(shared().mend()).isEqualTo("unset NITINOL_SHM_DIR");
    written.setting("NCCL_SHM_DISABLE", "1");
    assertThat(shared().state()).isEqualTo(State.NOTE);
  }

  private DoctorFinding shared() {
    return MemoryChecks.look(written.host()).getFirst();
  }

  @Test
  void hugePagesAreToldAndNotJudged() throws IOException {
    requireHugePages("transparent: unknown, of shared memory: unknown; reserved: 3");
    String directory = "/sys/kernel/mm/transparent_hugepage/";
    written.file(directory + "enabled", "always [madvise] never");
    written.file(directory + "shmem_enabled", "always within_size advise [never] deny force");
    requireHugePages("transparent: madvise, of shared memory: never; reserved: 3");
    written.file(directory + "enabled", "always madvise [never]");
    requireHugePages("transparent: never, of shared memory: never; reserved: 3");
  }

  private void requireHugePages(String seen) throws IOException {
    DoctorFinding found = MemoryChecks.hugePages(written.host());
    assertThat(found.state()).isEqualTo(State.NOTE);
    assertThat(found.seen()).isEqualTo(seen);
    assertThat(found.why()).contains("Nitinol asks for none");
    assertThat(found.mend()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "4096 4096, OK,",
    "unlimited unlimited, OK,",
    "1024 524288, WARNING, ulimit -n 524288",
    "1024 unlimited, WARNING, ulimit -n 1048576",
    "1024 2147483584, WARNING, ulimit -n 1048576"
  })
  void fewOpenFilesAreAWarning(String limits, State state, String mend) throws IOException {
    limits(limits, "unlimited unlimited");
    DoctorFinding found = MemoryChecks.openFiles(written.host());
    assertThat(found.state()).isEqualTo(state);
    assertThat(found.mend()).isEqualTo(mend);
  }

  @Test
  void aHardLimitIsRaisedFromOutside() throws IOException {
    limits("1024 1024", "unlimited unlimited");
    assertThat(MemoryChecks.openFiles(written.host()).mend())
        .isEqualTo(
            "echo \"$USER - nofile 1048576\" | sudo tee -a /etc/security/limits.d/nitinol.conf #"
                + " and log in again");
    written.file("/proc/sys/fs/nr_open", "65536");
    assertThat(MemoryChecks.openFiles(written.host()).mend()).contains("\"$USER - nofile 65536\"");
    written.file("/proc/sys/fs/nr_open", "2147483584");
    written.file("/run/.containerenv", "");
    assertThat(MemoryChecks.openFiles(written.host()).mend())
        .isEqualTo("podman run --ulimit nofile=1048576 ...");
    written.variable("KUBERNETES_SERVICE_HOST", "10.0.0.1");
    assertThat(MemoryChecks.openFiles(written.host()).mend()).isNull();
  }

  @Test
  void limitsThatAreNotThereAreUnknown() throws IOException {
    written.file("/proc/self/limits", "Max open files  many");
    List<DoctorFinding> found = MemoryChecks.look(written.host());
    assertThat(found)
        .filteredOn(each -> List.of("open files", "locked memory").contains(each.name()))
        .extracting(DoctorFinding::state)
        .containsExactly(State.UNKNOWN, State.UNKNOWN);
    assertThatThrownBy(() -> MemoryChecks.locked(written.host()))
        .hasMessage("/proc/self/limits has no line that begins with Max locked memory");
  }

  @Test
  void lockedMemoryMattersWhereThereAreRdmaDevices() throws IOException {
    limits("4096 4096", "8388608 8388608");
    written.file("/proc/self/status", "CapEff:\t0000000000000000");
    assertThat(MemoryChecks.locked(written.host()).state()).isEqualTo(State.NOTE);
    written.directory("/sys/class/infiniband/mlx5_0");
    DoctorFinding found = MemoryChecks.locked(written.host());
    assertThat(found.state()).isEqualTo(State.WARNING);
    assertThat(found.seen()).isEqualTo("8 MiB (at most 8 MiB)");
    assertThat(found.mend()).contains("\"$USER - memlock unlimited\"");
    limits("4096 4096", "8388608 unlimited");
    assertThat(MemoryChecks.locked(written.host()).mend()).isEqualTo("ulimit -l unlimited");
    limits("4096 4096", "unlimited unlimited");
    assertThat(MemoryChecks.locked(written.host()).state()).isEqualTo(State.OK);
  }

  /** The kernel looks at the capability among the first users only. */
  @Test
  void rootOutsideOfAContainerMayLockAnyway() throws IOException {
    limits("4096 4096", "65536 65536");
    written.directory("/sys/class/infiniband/mlx5_0");
    written.file("/proc/self/status", "CapEff:\t000001ffffffffff");
    written.file("/proc/self/uid_map", "         0          0 4294967295");
    assertThat(MemoryChecks.locked(written.host()).state()).isEqualTo(State.OK);
    written.file("/proc/self/uid_map", "         0     100000      65536");
    assertThat(MemoryChecks.locked(written.host()).state()).isEqualTo(State.WARNING);
  }
}
