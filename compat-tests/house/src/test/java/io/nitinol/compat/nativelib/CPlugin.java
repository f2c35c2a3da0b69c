// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.nativelib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Compiles the C plugins of compat-tests. */
public final class CPlugin {
  private static final Path SOURCES = Path.of("../native-plugins/src/main/c");
  private static final Path HEADERS = Path.of("../../net-native/src/main/c");

  private CPlugin() {}

  /**
   * Compiles a plugin; skips the test, with the reason, where there is no compiler.
   *
   * @param source the file's name without {@code .c}
   * @param library the file to write
   */
  public static Path compile(String source, Path library, String... options) {
    List<String> command = new ArrayList<>(List.of("cc", "-std=gnu11", "-O1", "-fPIC", "-shared"));
    command.addAll(List.of("-fvisibility=hidden", "-I" + HEADERS, "-I" + SOURCES));
    command.addAll(List.of(options));
    command.addAll(List.of("-o", library.toString(), SOURCES.resolve(source + ".c").toString()));
    command.add("-lpthread");
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(240, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as("%s: %s", command, said).isZero();
    } catch (IOException e) {
      assumeTrue(false, "no C compiler here (cc), hence no native plugin: " + e.getMessage());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return library;
  }
}
