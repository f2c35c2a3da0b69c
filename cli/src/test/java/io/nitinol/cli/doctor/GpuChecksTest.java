// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.cli.doctor.DoctorFinding.State;
import io.nitinol.core.CommException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceLink;
import io.nitinol.spi.device.v1.DeviceProvider;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GpuChecksTest {
  private static final String GPUS = "/proc/driver/nvidia/gpus/";
  private static final Supplier<DeviceProvider> NEVER =
      () -> {
        throw new AssertionError("asked for the provider");
      };

  @TempDir private Path root;
  private WrittenHost written;

  @BeforeEach
  void begin() {
    written = new WrittenHost(root);
  }

  private void gpu(String place, int minor) throws IOException {
    written.file(
        GPUS + place + "/information",
        "Model: \t\t NVIDIA H100\nIRQ:   1\nDevice Minor: \t " + minor + "\nGPU Excluded:\t No");
    written.file(
        "/proc/driver/nvidia/version",
        "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  Sun Jul 27\nGCC version: 12.3");
  }

  /** Two GPUs, of which the second one has a number beyond the next one. */
  private void twoGpus() throws IOException {
    gpu("0000:18:00.0", 0);
    gpu("0000:2a:00.0", 3);
  }

  private void files(String... names) throws IOException {
    for (String name : names) {
      written.file("/dev/" + name, "");
    }
  }

  private DoctorFinding list() throws IOException {
    return GpuChecks.gpus(written.host()).getFirst();
  }

  @Test
  void noGpuIsANote() {
    assertThat(GpuChecks.look(written.host(), NEVER))
        .extracting(DoctorFinding::state)
        .containsExactly(State.NOTE, State.NOTE);
  }

  @Test
  void aGpuThatCanBeUsedIsOk() throws IOException {
    gpu("0000:18:00.0", 0);
    files("nvidia0", "nvidiactl", "nvidia-uvm");
    written.library("libcuda.so.1");
    assertThat(GpuChecks.look(written.host(), NEVER))
        .containsExactly(
            DoctorFinding.ok("NVIDIA GPUs", "0000:18:00.0 NVIDIA H100"),
            DoctorFinding.ok("GPU driver", "580.65.06"),
            DoctorFinding.ok("CUDA driver", "libcuda.so.1 found"));
  }

  @Test
  void aContainerIsStartedWithGpus() throws IOException {
    gpu("0000:18:00.0", 0);
    written.file("/.dockerenv", "").file("/dev/nvidiactl", "");
    assertThat(GpuChecks.look(written.host(), NEVER))
        .filteredOn(found -> found.state() == State.WARNING)
        .extracting(DoctorFinding::mend)
        .containsExactly("docker run --gpus all ...", "docker run --gpus all ...");
  }

  @ParameterizedTest
  @CsvSource({
    "nvidia0, sudo nvidia-modprobe -c 0",
    "nvidia3, sudo nvidia-modprobe -c 3",
    "nvidiactl, sudo nvidia-modprobe -c 255"
  })
  void eachFileThatProgramsNeedIsLookedFor(String absent, String mend) throws IOException {
    twoGpus();
    files("nvidia0", "nvidia3", "nvidiactl", "nvidia-uvm");
    assertThat(list().state()).isEqualTo(State.OK);
    Files.delete(root.resolve("dev/" + absent));
    assertThat(list().state()).isEqualTo(State.WARNING);
    assertThat(list().why()).contains(" absent: /dev/" + absent + ".");
    assertThat(list().mend()).isEqualTo(mend);
  }

  @Test
  void allFilesThatAreAbsentAreMadeAtOnce() throws IOException {
    twoGpus();
    assertThat(list().why())
        .contains(" absent: /dev/nvidia0 /dev/nvidia3 /dev/nvidiactl /dev/nvidia-uvm.");
    assertThat(list().mend())
        .isEqualTo("sudo nvidia-modprobe -c 0 -c 3 -c 255 && sudo nvidia-modprobe -u -c 0");
  }

  /** So a container with some of the GPUs looks; what it lacks was kept from it on purpose. */
  @Test
  void aPartOfTheGpusOfAContainerIsANote() throws IOException {
    twoGpus();
    files("nvidia3", "nvidiactl", "nvidia-uvm");
    written.file("/.dockerenv", "");
    assertThat(list().state()).isEqualTo(State.NOTE);
    assertThat(list().why())
        .isEqualTo("This container has the files of some GPUs only; absent: /dev/nvidia0.");
    Files.delete(root.resolve("dev/nvidia-uvm"));
    assertThat(list().state()).as("without it none can be used").isEqualTo(State.WARNING);
  }

  /** So a host without a screen looks after each start, until its first CUDA program. */
  @Test
  void aHostWithoutUnifiedMemoryAloneIsANote() throws IOException {
    twoGpus();
    files("nvidia0", "nvidia3", "nvidiactl");
    assertThat(list().state()).isEqualTo(State.NOTE);
    assertThat(list().why())
        .isEqualTo(
            "The first CUDA program makes /dev/nvidia-uvm where nvidia-modprobe is installed and"
                + " set-user-ID root; elsewhere sudo nvidia-modprobe -u -c 0 makes it.");
    written.closed("/dev/nvidia3");
    assertThat(list().state()).as("another file is closed").isEqualTo(State.WARNING);
  }

  @ParameterizedTest
  @ValueSource(strings = {"nvidia3", "nvidiactl", "nvidia-uvm"})
  void aFileThatThisUserMayNotUseIsNamed(String closed) throws IOException {
    twoGpus();
    files("nvidia0", "nvidia3", "nvidiactl", "nvidia-uvm");
    written.closed("/dev/" + closed);
    assertThat(list().state()).isEqualTo(State.WARNING);
    assertThat(list().why()).isEqualTo("This user may not read and write /dev/" + closed + ".");
    Files.setPosixFilePermissions(
        root.resolve("dev/" + closed), PosixFilePermissions.fromString("rw-------"));
    assertThat(list().mend()).as("its group may not use it, either").isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "NVIDIA UNIX x86_64 Kernel Module  580.65.06  Sun Jul 27, OK, 580.65.06",
    "NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build, OK, 580.65.06",
    "NVIDIA UNIX Open Kernel Module for aarch64  595.1  Release Build, OK, 595.1",
    "NVIDIA UNIX x86_64 Kernel Module  535.129.03  Thu Oct 19, WARNING, 535.129.03",
    "something else, UNKNOWN, ''"
  })
  void anOldDriverIsAWarning(String line, State state, String seen) throws IOException {
    written.file("/proc/driver/nvidia/version", "NVRM version: " + line);
    DoctorFinding found = GpuChecks.driver(written.files());
    assertThat(found.state()).isEqualTo(state);
    assertThat(found.seen()).isEqualTo(seen);
  }

  @Test
  void withoutAProviderPeerAccessIsUnknown() throws IOException {
    twoGpus();
    DoctorFinding found =
        GpuChecks.look(
                written.host(),
                () -> {
                  throw new CommException(ResultCode.INVALID_USAGE, "no provider works");
                })
            .getLast();
    assertThat(found).isEqualTo(DoctorFinding.unknown("peer access", "no provider works"));
  }

  @Test
  void pairsThatDoNotReachEachOtherAreNamed() {
    assertThat(GpuChecks.peers(List.of(device(0, Set.of())))).isEmpty();
    List<Device> both = List.of(device(0, Set.of(1)), device(1, Set.of(0)));
    assertThat(GpuChecks.peers(both))
        .containsExactly(DoctorFinding.ok("peer access", "all pairs of 2 GPUs, by PCI"));
    List<Device> oneWay =
        List.of(device(0, Set.of(1, 2)), device(1, Set.of(0, 2)), device(2, Set.of(0)));
    DoctorFinding found = GpuChecks.peers(oneWay).getFirst();
    assertThat(found.state()).isEqualTo(State.WARNING);
    assertThat(found.seen()).isEqualTo("none between GPUs 1-2");
  }

  private static Device device(int index, Set<Integer> reached) {
    return (Device)
        Proxy.newProxyInstance(
            Device.class.getClassLoader(),
            new Class<?>[] {Device.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "index" -> index;
                  case "canAccess" -> reached.contains(((Device) arguments[0]).index());
                  case "link" -> new DeviceLink(DeviceLink.Kind.PCI, 0, false);
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }
}
