// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class TorchTrainingTest {
  private static final String LIBRARY = "NITINOL_TORCH_LIB";
  private static final int EPOCHS = 5;
  private static final Pattern LOSS = Pattern.compile("(?m)^epoch \\d+: loss ([0-9.]+)$");
  private static final Pattern RIGHT = Pattern.compile("(?m)^(\\d+) of 261 other digits");

  private static final Pattern SUMS =
      Pattern.compile(
          "(?m)^a step takes ([0-9.]+) ms and its sums of gradients ([0-9.]+) ms alone;"
              + " ([0-9.]+) ms were waited for sums and later ranks: (\\d+) % hidden");

  @TempDir Path directory;

  /** What rank 0 has printed. */
  private String train(int ranks) throws IOException, InterruptedException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    List<Process> processes = new ArrayList<>();
    List<Path> printed = new ArrayList<>();
    try {
      for (int rank = 0; rank < ranks; rank++) {
        ProcessBuilder builder =
            new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                TorchTraining.class.getName(),
                "cpu",
                Integer.toString(EPOCHS));
        builder
            .environment()
            .putAll(
                Map.of(
                    "CLASSPATH",
                    System.getProperty("java.class.path"),
                    "NITINOL_RANK",
                    Integer.toString(rank),
                    "NITINOL_SIZE",
                    Integer.toString(ranks),
                    "NCCL_COMM_ID",
                    "127.0.0.1:" + port,
                    "NITINOL_COMM_SECRET",
                    "of this test",
                    "NCCL_SOCKET_IFNAME",
                    "=lo",
                    "OMP_NUM_THREADS",
                    "1"));
        printed.add(directory.resolve("rank-" + rank + "-of-" + ranks));
        builder.redirectErrorStream(true).redirectOutput(printed.getLast().toFile());
        processes.add(builder.start());
      }
      // A rank that fails ends the others, for which its peers are gone.
      for (Process process : processes) {
        boolean ended = process.waitFor(120, TimeUnit.SECONDS);
        assertThat(ended && process.exitValue() == 0).as(all(printed)).isTrue();
      }
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
    return Files.readString(printed.getFirst(), StandardCharsets.UTF_8);
  }

  private static String all(List<Path> files) throws IOException {
    StringBuilder all = new StringBuilder();
    for (Path file : files) {
      all.append(file.getFileName()).append(":\n").append(Files.readString(file));
    }
    return all.toString();
  }

  private static List<Double> losses(String printed) {
    return LOSS.matcher(printed).results().map(loss -> Double.valueOf(loss.group(1))).toList();
  }

  @Test
  void oneRankAndTwoLearnTheSame() throws IOException, InterruptedException {
    String library = System.getenv(LIBRARY);
    assumeTrue(
        library != null, LIBRARY + " is not set: the profile pytorch loads PyTorch's library");
    String alone = train(1);
    List<Double> wanted = losses(alone);
    assertThat(wanted).hasSize(EPOCHS);
    assertThat(wanted.getLast()).isLessThan(wanted.getFirst() / 2);
    Matcher right = RIGHT.matcher(alone);
    assertThat(right.find()).as(alone).isTrue();
    assertThat(Integer.parseInt(right.group(1))).as("a guess gets 26").isGreaterThan(180);
    String together = train(2);
    List<Double> got = losses(together);
    assertThat(got).hasSize(EPOCHS);
    for (int i = 0; i < EPOCHS; i++) {
      // Sums of floats in another order.
      assertThat(got.get(i)).isCloseTo(wanted.get(i), within(1e-4));
    }
    Matcher time = SUMS.matcher(together);
    assertThat(time.find()).as(together).isTrue();
    assertThat(Double.parseDouble(time.group(1)))
        .as("a step, in which a wait lies")
        .isGreaterThanOrEqualTo(Double.parseDouble(time.group(3)));
    assertThat(Double.parseDouble(time.group(2))).as("sums of two ranks").isPositive();
    assertThat(Integer.parseInt(time.group(4))).as("percent").isBetween(0, 100);
  }

  @Test
  void aDirectoryWithoutTheLibraryIsNamed() {
    assertThatIOException()
        .isThrownBy(() -> new LibTorch(directory, -1).close())
        .withMessageContaining(LIBRARY + " is " + directory);
  }

  @Test
  void aFileThatIsNoLibraryIsNamed() throws IOException {
    Files.writeString(directory.resolve("libtorch.so"), "nothing");
    assertThatIOException()
        .isThrownBy(() -> new LibTorch(directory, -1).close())
        .withMessageContaining("libtorch.so cannot be loaded");
  }
}
