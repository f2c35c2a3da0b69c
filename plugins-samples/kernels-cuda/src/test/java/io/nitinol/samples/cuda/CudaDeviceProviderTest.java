// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.samples.cuda.ffi.Libcuda;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.device.v1.DeviceProvider;
import java.io.File;
import java.nio.file.Path;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CudaDeviceProviderTest {
  private final CudaDeviceProvider provider = new CudaDeviceProvider();

  @Test
  void isFoundByItsService() {
    assertThat(ServiceLoader.load(DeviceProvider.class))
        .hasAtLeastOneElementOfType(CudaDeviceProvider.class);
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
    Process check =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                CudaCheck.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(output)
            .start();
    try {
      assertThat(check.waitFor(180, TimeUnit.SECONDS)).isTrue();
      assertThat(check.exitValue()).as("%s", output).isZero();
    } finally {
      check.destroyForcibly();
    }
  }
}
