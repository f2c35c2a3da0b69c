// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.launch.RankEnvironment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which options the scripts {@code nitinol} give their JVM, here one that prints them. */
class LaunchScriptTest {
  private static final Path ROOT = Path.of(System.getProperty("nitinol.root", ".."));
  private static final String VECTOR = "jdk.incubator.vector";

  /** What launchers set for a rank beside the variable with its number. */
  private static final Map<String, String> BESIDE =
      Map.of(
          "NITINOL_SIZE", "2",
          "WORLD_SIZE", "2",
          "MASTER_ADDR", "127.0.0.1",
          "OMPI_COMM_WORLD_SIZE", "2",
          "PMI_SIZE", "2",
          "SLURM_NTASKS", "2",
          "SLURM_JOB_ID", "7",
          "SLURM_STEP_ID", "0");

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"nitinol", "cli/src/dist/nitinol"})
  void aRankOfEachLauncherGetsTheVectorModule(String script) throws Exception {
    for (String variable : RankEnvironment.rankVariables()) {
      Map<String, String> environment = new HashMap<>();
      environment.put(variable, "1");
      String launcher = variable.substring(0, variable.indexOf('_') + 1);
      BESIDE.forEach((name, value) -> {
        if (launcher.isEmpty()
            ? name.matches("WORLD_SIZE|MASTER_ADDR")
            : name.startsWith(launcher)) {
          environment.put(name, value);
        }
      });
      assertThat(RankEnvironment.detect(environment)).as("%s", environment).isNotNull();
      assertThat(options(script, environment, "perf", "all_reduce"))
          .as("%s", environment)
          .contains(VECTOR);
      assertThat(options(script, environment, "tck", "socket"))
          .as("%s", environment)
          .doesNotContain(VECTOR);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"nitinol", "cli/src/dist/nitinol"})
  void aLauncherOfRanksDoesWithoutTheVectorModule(String script) throws Exception {
    for (Map<String, String> environment :
        List.of(
            Map.<String, String>of(),
            Map.of("RANK", "1"),
            Map.of("SLURM_PROCID", "0", "SLURM_JOB_ID", "7", "SLURM_NTASKS", "2"))) {
      assertThat(RankEnvironment.detect(environment)).as("%s", environment).isNull();
      assertThat(options(script, environment, "perf", "all_reduce", "-n", "2"))
          .as("%s", environment)
          .contains("-n 2")
          .doesNotContain(VECTOR);
    }
    assertThat(options(script, Map.of(), "perf", "all_reduce", "--threads")).contains(VECTOR);
  }

  /** Returns the arguments with which the script starts its JVM. */
  private String options(String script, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    Path copy = install(script);
    List<String> command = new ArrayList<>(List.of("sh", copy.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    Path said = directory.resolve("err");
    builder.redirectError(said.toFile());
    String path = builder.environment().get("PATH");
    builder.environment().clear();
    builder.environment().put("PATH", path);
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      process.getOutputStream().close();
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as("%s", Files.readString(said)).isZero();
      assertThat(out).startsWith("java ");
      return out;
    } finally {
      process.destroyForcibly();
    }
  }

  /** Puts a script where it finds a JVM and, in a checkout, a build that needs no other. */
  private Path install(String script) throws IOException {
    Path home = directory.resolve("jdk");
    Path bin = Files.createDirectories(home.resolve("bin"));
    Path java = bin.resolve("java");
    Files.writeString(java, "#!/bin/sh\necho java \"$@\"\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    if (script.equals("nitinol")) {
      Path root = directory.resolve("checkout");
      Path mvn = Files.createDirectories(root.resolve(".mvn"));
      Files.writeString(mvn.resolve("find-jdk.sh"), "echo '" + home + "'\n");
      Files.createDirectories(root.resolve("cli/target"));
      Files.writeString(root.resolve("cli/target/app.stamp"), "");
      bin = root;
    }
    return Files.writeString(bin.resolve("nitinol"), Files.readString(ROOT.resolve(script)));
  }
}
