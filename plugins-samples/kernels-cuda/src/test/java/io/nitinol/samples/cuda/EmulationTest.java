// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.Thorough;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The kernels compute the right numbers in emulation, where a C++ compiler is. On a GPU {@code
 * src/test/cuda/check.cu} does the same with the committed PTX.
 */
class EmulationTest {

  @TempDir Path build;

  @Thorough
  @Test
  void threeRanksComputeWhatPlainCodeDoes() throws IOException, InterruptedException {
    try {
      new ProcessBuilder("g++", "--version")
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      Assumptions.abort("no g++ here: " + e.getMessage());
    }
    Process process =
        new ProcessBuilder("src/test/cuda/emulate", build.toString(), "--quick")
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).contains(" 0 wrong").contains("check: all right");
  }
}
