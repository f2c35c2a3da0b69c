// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.compat.cli.ClassPathJvm;
import io.nitinol.compat.cli.FreePort;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.log.Log;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.testing.FirstRows;
import io.nitinol.spi.testing.Slow;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The programs in {@code docs/examples} compile and behave as the page describes. */
class ExamplesTest {
  private static final Path DOCS = Path.of(System.getProperty("nitinol.root", ".."), "docs");
  private static final Path SOURCES = DOCS.resolve("examples");

  private static final List<String> WITH_A_NEW_RANK =
      List.of(
          "rank 0 of 3: 20 steps add up to 60",
          "rank 1 of 3: 20 steps add up to 60",
          "rank 2 of 3, a new process: 20 steps add up to 60");

  @TempDir static Path classes;

  @BeforeAll
  static void compile() throws IOException {
    JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
    StringWriter said = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options =
          List.of(
              "-d",
              classes.toString(),
              "-cp",
              System.getProperty("java.class.path"),
              "-proc:none",
              "-Xlint:all,-processing,-try,-classfile,-requires-automatic");
      boolean right =
          compiler
              .getTask(
                  said, files, null, options, null, files.getJavaFileObjectsFromPaths(sources()))
              .call();
      assertThat(said.toString()).isEmpty();
      assertThat(right).isTrue();
    }
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.list(SOURCES)) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    }
  }

  static Stream<Arguments> examples() {
    return Stream.of(
        Arguments.of(
            "HelloAllReduce",
            2,
            List.of("rank 0 of 2: every element is 3.0", "rank 1 of 2: every element is 3.0")),
        Arguments.of(
            "RingExchange", 3, List.of("rank 0 got 102", "rank 1 got 100", "rank 2 got 101")),
        Arguments.of(
            "RowsAndColumns",
            4,
            List.of(
                "rank 0: row 0 adds up to 1, column 0 to 2",
                "rank 1: row 0 adds up to 1, column 1 to 4",
                "rank 2: row 1 adds up to 5, column 0 to 2",
                "rank 3: row 1 adds up to 5, column 1 to 4")),
        Arguments.of(
            "HeapArrays",
            2,
            List.of(
                "rank 0: [0.5, 1.0, 2.0] 1.0 [0, 0, 1, 1]",
                "rank 1: [0.5, 1.0, 2.0] 1.0 [0, 0, 1, 1]")),
        Arguments.of(
            "PersistentSum",
            2,
            List.of("rank 0: ten steps add up to 100.0", "rank 1: ten steps add up to 100.0")),
        Arguments.of("NonBlockingInit", 2, List.of("rank 0: 2 ranks", "rank 1: 2 ranks")),
        Arguments.of(
            "RecoverByShrink",
            3,
            List.of(
                "rank 0 is now rank 0 of 2: rank 2 is gone",
                "rank 1 is now rank 1 of 2: rank 2 is gone")),
        Arguments.of("ReplaceLostRank 2", 3, WITH_A_NEW_RANK),
        Arguments.of(
            "DeviceAllReduce",
            2,
            List.of("rank 0 of 2: every element is 3.0", "rank 1 of 2: every element is 3.0")));
  }

  @ParameterizedTest
  @MethodSource("examples")
  @FirstRows(2)
  void asProcesses(String example, int ranks, List<String> expected) throws Exception {
    try (UniqueId id =
        UniqueId.create(Settings.of(Map.of("NCCL_SOCKET_IFNAME", "lo")), Log.process())) {
      run(example, ranks, Map.of("NITINOL_UNIQUE_ID", id.toString()), expected);
    }
  }

  /**
   * The process at the address that NCCL_COMM_ID names dies. The new one has that variable too, and
   * meets the others at the id that it was given.
   */
  @Test
  @Slow
  void ranksThatMetByNcclCommIdReplaceTheOneThatListenedThere() throws Exception {
    Map<String, String> meeting =
        Map.of("NCCL_COMM_ID", "127.0.0.1:" + FreePort.find(), "NITINOL_COMM_SECRET", "of a test");
    run("ReplaceLostRank 0", 3, meeting, WITH_A_NEW_RANK);
  }

  private static void run(
      String example, int ranks, Map<String, String> meeting, List<String> expected)
      throws Exception {
    List<Process> processes = new ArrayList<>();
    try {
      for (int r = 0; r < ranks; r++) {
        Map<String, String> environment = new HashMap<>(meeting);
        environment.put("NITINOL_RANK", Integer.toString(r));
        environment.put("NITINOL_SIZE", Integer.toString(ranks));
        processes.add(start(example, environment));
      }
      List<String> said = new ArrayList<>();
      for (Process process : processes) {
        said.addAll(output(process));
      }
      assertThat(said).containsExactlyInAnyOrderElementsOf(expected);
    } finally {
      for (Process process : processes) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    }
  }

  private static Process start(String example, Map<String, String> environment) throws IOException {
    List<String> command = ClassPathJvm.command("256m", classes);
    command.addAll(List.of(example.split(" ", -1)));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("NCCL_SOCKET_IFNAME", "lo");
    builder.environment().put("NCCL_NET", "Socket");
    builder.environment().put("NITINOL_KERNELS", "scalar"); // else it says how to get others
    builder.environment().put("NITINOL_DEVICE", "cpu"); // a machine with GPUs has others
    builder.environment().putAll(environment);
    return builder.start();
  }

  /** Reads while the process runs, which the time limit of the test bounds. */
  private static List<String> output(Process process) throws Exception {
    List<String> lines;
    try (var reader = process.inputReader()) {
      lines = reader.lines().toList();
    }
    assertThat(process.waitFor(240, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as("exit status after %s", lines).isZero();
    return lines;
  }

  @Test
  void thePageNamesAllExamples() throws IOException {
    String page = Files.readString(DOCS.resolve("application.md"));
    for (Path source : sources()) {
      assertThat(page).contains("(examples/" + source.getFileName() + ")");
    }
    assertThat(examples().map(each -> each.get()[0].toString().split(" ", -1)[0] + ".java"))
        .containsExactlyInAnyOrderElementsOf(
            sources().stream().map(source -> source.getFileName().toString()).toList());
  }
}
