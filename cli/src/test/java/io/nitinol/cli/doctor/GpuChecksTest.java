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

  private void gpu(String place) throws IOException {
    written.file(GPUS + place + "/information", "Model: \t\t NVIDIA H100\nIRQ:   1");
    written.file(
        "/proc/driver/nvidia/version",
        "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  Sun Jul 27\nGCC version: 12.3");
  }

  @Test
  void noGpuIsANote() {
    assertThat(GpuChecks.look(written.host(), NEVER))
        .extracting(DoctorFinding::state)
        .containsExactly(State.NOTE, State.NOTE);
  }

  @Test
  void aGpuThatCanBeUsedIsOk() throws IOException {
    gpu("0000:18:00.0");
    written.file("/dev/nvidia0", "").file("/dev/nvidiactl", "").library("libcuda.so.1");
    assertThat(GpuChecks.look(written.host(), NEVER))
        .containsExactly(
            DoctorFinding.ok("NVIDIA GPUs", "0000:18:00.0 NVIDIA H100"),
            DoctorFinding.ok("GPU driver", "580.65.06"),
            DoctorFinding.ok("CUDA driver", "libcuda.so.1 found"));
  }

  @Test
  void aContainerIsStartedWithGpus() throws IOException {
    gpu("0000:18:00.0");
    written.file("/.dockerenv", "").file("/dev/nvidiactl", "");
    assertThat(GpuChecks.look(written.host(), NEVER))
        .filteredOn(found -> found.state() == State.WARNING)
        .extracting(DoctorFinding::mend)
        .containsExactly("docker run --gpus all ...", "docker run --gpus all ...");
  }

  @Test
  void aFileThatThisUserMayNotUseIsNamed() throws IOException {
    gpu("0000:18:00.0");
    written.file("/dev/nvidia0", "").file("/dev/nvidia1", "").closed("/dev/nvidia1");
    DoctorFinding found = GpuChecks.gpus(written.host()).getFirst();
    assertThat(found.state()).isEqualTo(State.WARNING);
    assertThat(found.why()).isEqualTo("This user may not read and write /dev/nvidia1.");
    Files.setPosixFilePermissions(
        root.resolve("dev/nvidia1"), PosixFilePermissions.fromString("rw-------"));
    assertThat(GpuChecks.gpus(written.host()).getFirst().mend())
        .as("its group may not use it, either")
        .isNull();
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
    gpu("0000:18:00.0");
    gpu("0000:2a:00.0");
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
