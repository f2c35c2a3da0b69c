// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.samples.cuda.ffi.Libcuda;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.device.v1.DeviceProvider;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CudaDeviceProviderTest {
  private final CudaDeviceProvider provider = new CudaDeviceProvider();

  @Test
  void isDeclaredForTheModulePathAndTheClassPath() throws IOException { // SEL-01
    String service = DeviceProvider.class.getName();
    String itself = CudaDeviceProvider.class.getName();
    try (InputStream in = CudaDeviceProvider.class.getResourceAsStream("/module-info.class")) {
      assertThat(ModuleDescriptor.read(in).provides())
          .anyMatch(each -> each.service().equals(service) && each.providers().contains(itself));
    }
    try (InputStream in =
        CudaDeviceProvider.class.getResourceAsStream("/META-INF/services/" + service)) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8).strip()).isEqualTo(itself);
    }
    assertThat(provider.name()).isEqualTo("cuda");
    assertThat(provider.priority()).isPositive();
    assertThat(provider.memoryType()).isEqualTo(PointerType.CUDA);
  }

  @Test
  void withoutADriverItSaysSoAndHasNothing() {
    String absence = Libcuda.absence();
    assumeTrue(absence != null, "there is a driver here");
    assertThat(provider.unavailable()).isEqualTo(absence).contains(Libcuda.NAME);
    assertThat(provider.devices()).isEmpty();
    assertThat(provider.memoryHandleSize()).isZero();
    assertThat(provider.find(4096)).isNull();
  }

  /** All of the provider on the GPUs of this machine, in a process of its own. */
  @Test
  void allIsRightOnGpus(@TempDir Path directory) throws Exception {
    assumeTrue(provider.unavailable() == null, "no GPU: " + provider.unavailable());
    File output = directory.resolve("output").toFile();
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    String path = System.getProperty("java.class.path");
    String modules = System.getProperty("jdk.module.path", "");
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp"));
    command.add(String.join(File.pathSeparator, modules, path, "target/test-classes"));
    command.add(CudaCheck.class.getName());
    Process check =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output).start();
    try {
      assertThat(check.waitFor(240, TimeUnit.SECONDS)).isTrue();
      assertThat(check.exitValue()).as("%s", output).isZero();
    } finally {
      check.destroyForcibly();
    }
  }
}
