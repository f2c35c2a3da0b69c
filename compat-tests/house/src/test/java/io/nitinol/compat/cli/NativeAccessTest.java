// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.compat.nativelib.CPlugin;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM whose {@code --enable-native-access} leaves out the module that loads native plugins. */
class NativeAccessTest {
  private static final String MODULE = "io.nitinol.net.nativeabi";

  @TempDir Path directory;

  @Test
  void javaPluginsGoOnAndTheReasonIsTold() throws Exception {
    Path library = CPlugin.compile("loopback", directory.resolve("libx.so"));
    try (CommandProcess command =
        CommandProcess.startBy(
            NativeAccessTest::without,
            Map.of("NCCL_NET_PLUGIN", library.toString(), "NCCL_DEBUG", "INFO"),
            List.of("plugins"))) {
      assertThat(command.exit()).as("%s", command).isZero();
      assertThat(command.out()).contains("Socket").contains("--enable-native-access=" + MODULE);
      assertThat(command.out() + command.err()).doesNotContain("WARNING: A restricted method");
    }
  }

  private static List<String> without(List<String> command) {
    return command.stream().map(each -> each.replace("," + MODULE, "")).toList();
  }
}
