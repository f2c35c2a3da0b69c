// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.testing.Slow;
import io.nitinol.spi.testing.Thorough;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Some rounds, the same in each build: what a build refuses is what was changed. Others are found
 * by the program itself, or by {@code -Dnitinol.chaos.seed}.
 */
@Tag(Thorough.TAG)
class ChaosTest {
  private static final int ROUNDS = Thorough.ON ? 30 : Slow.ON ? 8 : 2;

  /** Of the seeds of the rounds; a thorough run has others. */
  private static final long SEED = Thorough.ON ? 20 : 19;

  @Test
  @Timeout(1800)
  void noRoundBreaksARule() throws Exception {
    long seed = Long.getLong("nitinol.chaos.seed", SEED);
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    int status =
        Chaos.run(
            new PrintStream(told, true, StandardCharsets.UTF_8),
            "--rounds",
            Integer.toString(ROUNDS),
            "--jobs",
            "2", // most of a round is waiting
            "--seed",
            Long.toString(seed));
    String text = told.toString(StandardCharsets.UTF_8);
    System.err.println(text);
    assertThat(text).doesNotContain("VIOLATION");
    assertThat(text.lines().filter(line -> line.matches("\\d+: seed .*"))).hasSize(ROUNDS);
    assertThat(status).isZero();
  }

  @Test
  void logsAreKeptWhereARuleWasBrokenOnly(@TempDir Path temp) throws Exception {
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(told, true, StandardCharsets.UTF_8);
    assertThat(Chaos.run(out, "--rounds", "0", "--carriers", "shm")).isZero();
    Matcher logs = Pattern.compile("logs in (\\S+)").matcher(told.toString(StandardCharsets.UTF_8));
    assertThat(logs.find()).isTrue();
    assertThat(Path.of(logs.group(1))).doesNotExist();

    Path directory = Files.createDirectory(temp.resolve("logs"));
    Files.createFile(Files.createDirectory(directory.resolve("farm")).resolve("log"));
    Chaos.conclude(out, directory, false);
    assertThat(directory.resolve("farm/log")).exists();
    assertThat(told.toString(StandardCharsets.UTF_8)).endsWith("are kept in " + directory + "\n");
    Chaos.conclude(out, directory, true);
    assertThat(directory).doesNotExist();
  }

  @Test
  void badOptionsAreNamed() {
    assertThatThrownBy(() -> Chaos.run(System.out, "--round"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--round needs a value");
    assertThatThrownBy(() -> Chaos.run(System.out, "--moon", "3"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--moon");
    assertThatThrownBy(() -> Chaos.run(System.out, "--faults", "flood"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("FLOOD");
  }
}
