// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.nitinol.spi.testing.FirstRows;
import io.nitinol.spi.testing.QuickRows;
import java.io.File;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A command whose output cannot be written does not report success. */
class OutputTest {
  private static final File FULL = new File("/dev/full");

  @BeforeEach
  void thereIsAFullDisk() {
    assumeThat(FULL).as("this system has no /dev/full").exists();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "perf all_reduce -n 1 --threads -b 8 -e 8",
        "perf all_reduce -n 2 -b 8 -e 8 --iters 2",
        "plugins --json",
        "env",
        "doctor",
        "tck Socket --rule NET-DEV-01",
        "--help",
        "--version"
      })
  @QuickRows({2, 3, 6, 7})
  @FirstRows(2)
  void aFullDiskIsAnError(String arguments) throws Exception {
    try (CommandProcess command = CommandProcess.startInto(FULL, Map.of(), arguments.split(" "))) {
      assertThat(command.exit()).as("%s", command).isEqualTo(5);
      assertThat(command.err())
          .as("%s", command)
          .contains("nitinol: cannot write all of the output to stdout: No space left on device\n")
          .doesNotContain("\tat ");
    }
  }

  @Test
  void anEarlierFailureKeepsItsStatus() throws Exception {
    try (CommandProcess plugins =
        CommandProcess.startInto(FULL, Map.of("NCCL_NET", "Nope"), "plugins")) {
      assertThat(plugins.exit()).as("%s", plugins).isEqualTo(3);
      assertThat(plugins.err()).contains("No space left on device");
    }
  }

  /** As of a program that SIGPIPE ends. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "env",
        "perf all_reduce -n 2 -b 8 -e 8 --iters 2",
        "perf all_reduce -n 2 --threads -b 8 -e 8 -N 0" // without an end
      })
  @FirstRows(1)
  void aReaderThatLeavesIsNoFailureToTell(String arguments) throws Exception {
    try (CommandProcess env = CommandProcess.startUnread(arguments.split(" "))) {
      assertThat(env.exit()).as("%s", env).isEqualTo(141);
      assertThat(env.err()).as("%s", env).isEmpty();
    }
  }

  @Test
  void aFileWithRoomIsNoError(@TempDir Path work) throws Exception {
    File file = work.resolve("out").toFile();
    try (CommandProcess env = CommandProcess.startInto(file, Map.of(), "env")) {
      assertThat(env.exit()).as("%s", env).isZero();
      assertThat(file).content().contains("NCCL_NET");
    }
  }
}
