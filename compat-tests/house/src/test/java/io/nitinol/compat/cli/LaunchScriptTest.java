// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.launch.RankEnvironment;
import java.io.File;
import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks the options that the scripts {@code nitinol} give their JVM; here it is a script that
 * prints them.
 */
class LaunchScriptTest {
  private static final Path ROOT = Path.of(System.getProperty("nitinol.root", ".."));
  private static final String VECTOR = "jdk.incubator.vector";
  private static final String CONTAINER = "cli/src/dist/Containerfile";

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

  /** The output on standard error of the JVM, which is a script here. */
  private List<String> saidByJava = List.of();

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
            : launcher.equals("JOB_") ? name.equals("NITINOL_SIZE") : name.startsWith(launcher)) {
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

  /** So that {@code perf --device} works with nothing else typed. */
  @ParameterizedTest
  @ValueSource(strings = {"nitinol", "cli/src/dist/nitinol"})
  void theProvidersOfDevicesMayCallTheirDrivers(String script) throws Exception {
    assertThat(options(script, Map.of(), "perf", "all_reduce", "--device", "cuda", "-n", "2"))
        .containsPattern("--enable-native-access=\\S*io\\.nitinol\\.samples\\.cuda\\b")
        .containsPattern("--enable-native-access=\\S*io\\.nitinol\\.samples\\.cpu\\b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nitinol", "cli/src/dist/nitinol"})
  void ofWhatTheJvmSaysOnlyTheLineAboutTheVectorModuleIsLeftOut(String script) throws Exception {
    String known = "WARNING: Using incubator modules: jdk.incubator.vector";
    saidByJava = List.of("Picked up something", known, "said later", known);
    assertThat(options(script, Map.of(), "doctor")).contains(VECTOR);
    // A process of its own passes it on, which may end a little later than the JVM.
    while (errors().size() < 3) {
      assertThat(Thread.currentThread().isInterrupted()).as("out of time: %s", errors()).isFalse();
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(errors()).containsExactly("Picked up something", "said later", known);
    assertThat(options(script, Map.of(), "env")).doesNotContain(VECTOR);
    assertThat(errors()).isEqualTo(saidByJava);
  }

  @ParameterizedTest
  @ValueSource(strings = {"nitinol", "cli/src/dist/nitinol"})
  void aJvmThatCannotStartIsNoWrongResult(String script) throws Exception {
    Path copy = install(script);
    Path java = directory.resolve("jdk/bin/java");
    executable(
        java,
        """
        case "$*" in
          *-Xnosuch*) echo "Unrecognized option: -Xnosuch"; echo "Error: Could not create"; exit 1 ;;
          *--dry-run*) exit 0 ;;
        esac
        echo java "$@"
        """);
    List<String> command = List.of("sh", copy.toString(), "env");
    assertThat(run(command, Map.of("NITINOL_JAVA_OPTS", "-Xmx64m")))
        .contains(" -Xmx64m ")
        .doesNotContain("--dry-run");
    Process process = start(command, Map.of("NITINOL_JAVA_OPTS", "-Xnosuch"));
    try {
      assertThat(process.waitFor(240, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(2);
    } finally {
      process.destroyForcibly();
    }
    assertThat(errors())
        .containsExactly(
            "nitinol: the JVM cannot start with NITINOL_JAVA_OPTS=-Xnosuch: Unrecognized option:"
                + " -Xnosuch");
  }

  /** A command that runs while another one builds goes on with the jars that it began with. */
  @Test
  void aBuildLeavesTheJarsOfThoseWhoRun() throws Exception {
    Path root = install("nitinol").getParent();
    copy(".mvn/archive.sh", root.resolve(".mvn"));
    Files.writeString(root.resolve("source"), "");
    Files.writeString(root.resolve("pom.xml"), "");
    Files.createDirectories(root.resolve("spi"));
    executable(
        root.resolve("mvnw"), "mkdir -p cli/target/app && cp source cli/target/app/nitinol.jar");
    List<Path> builds = new ArrayList<>();
    for (String source : List.of("first", "second", "second", "third")) {
      Files.writeString(root.resolve("source"), source);
      Files.deleteIfExists(root.resolve("cli/target/app.stamp"));
      String out = run(List.of("sh", root.resolve("nitinol").toString(), "env"), Map.of());
      Path used = Path.of(out.replaceAll("(?s).*--module-path (\\S+) .*", "$1"));
      assertThat(used.resolve("nitinol.jar")).as(out).hasContent(source);
      builds.add(used);
    }
    assertThat(builds.get(1)).as("nothing changed").isEqualTo(builds.get(2));
    assertThat(builds.get(0)).isNotEqualTo(builds.get(1)).doesNotExist();
    assertThat(builds.get(1).resolve("nitinol.jar")).hasContent("second");
    assertThat(errors())
        .containsExactly(
            "nitinol: building (first run), half a minute on 4 idle cores, longer on a busy machine"
                + " ...");
  }

  /** The JVM takes an archive of other jars, too, and fails with "sealing violation" later. */
  @Test
  void theArchiveOfACheckoutThatWasMovedIsNotUsed() throws Exception {
    Path root = install("nitinol").getParent();
    copy(".mvn/archive.sh", root.resolve(".mvn"));
    Path jars = root.resolve("cli/target/run/current").toRealPath();
    Path archive = Files.writeString(jars.resolve("app.jsa"), "");
    Files.writeString(jars.resolve("app.jsa.from"), jars + "\n");
    List<String> command = List.of("sh", root.resolve("nitinol").toString(), "env");
    assertThat(run(command, Map.of())).contains("-XX:SharedArchiveFile=" + archive);
    Files.writeString(jars.resolve("app.jsa.from"), "/where/it/was\n");
    assertThat(run(command, Map.of())).doesNotContain("SharedArchiveFile");
    assertThat(archive).doesNotExist();
  }

  /** Returns the arguments with which the script starts its JVM. */
  private String options(String script, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    Path copy = install(script);
    List<String> command = new ArrayList<>(List.of("sh", copy.toString()));
    command.addAll(List.of(arguments));
    return run(command, environment);
  }

  private Process start(List<String> command, Map<String, String> environment) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectError(directory.resolve("err").toFile());
    String path = builder.environment().get("PATH");
    builder.environment().clear();
    builder.environment().put("PATH", path);
    builder.environment().putAll(environment);
    return builder.start();
  }

  private String run(List<String> command, Map<String, String> environment)
      throws IOException, InterruptedException {
    Process process = start(command, environment);
    try {
      process.getOutputStream().close();
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(240, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as("%s", errors()).isZero();
      assertThat(out).startsWith("java ");
      return out;
    } finally {
      process.destroyForcibly();
    }
  }

  /**
   * Returns the lines of standard error without those about sources that this checkout does not
   * have.
   */
  private List<String> errors() throws IOException {
    return Files.readAllLines(directory.resolve("err")).stream()
        .filter(line -> !line.startsWith("find: "))
        .toList();
  }

  /** Puts a script where it finds a JVM and, in a checkout, a build that needs no other. */
  private Path install(String script) throws IOException {
    Path home = directory.resolve("jdk");
    Path bin = Files.createDirectories(home.resolve("bin"));
    StringBuilder java = new StringBuilder("echo java \"$@\"\n");
    saidByJava.forEach(line -> java.append("echo '").append(line).append("' >&2\n"));
    executable(bin.resolve("java"), java.toString());
    if (!script.equals("nitinol")) {
      copy("cli/src/dist/launch.sh", home.resolve("lib/nitinol"));
      return copy(script, bin);
    }
    Path root = directory.resolve("checkout");
    copy(".mvn/app.sh", root.resolve(".mvn"));
    copy("cli/src/dist/launch.sh", root.resolve("cli/src/dist"));
    Files.writeString(root.resolve(".mvn/find-jdk.sh"), "echo '" + home + "'\n");
    Path runs = Files.createDirectories(root.resolve("cli/target/run"));
    if (!Files.exists(runs.resolve("current"))) {
      Files.createSymbolicLink(
          runs.resolve("current"), Files.createDirectories(runs.resolve("0")).getFileName());
    }
    Files.writeString(root.resolve("cli/target/app.stamp"), "");
    return copy(script, root);
  }

  private static Path copy(String file, Path to) throws IOException {
    Path source = ROOT.resolve(file);
    return Files.writeString(
        Files.createDirectories(to).resolve(source.getFileName()), Files.readString(source));
  }

  private static void executable(Path file, String script) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + script);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  /**
   * What the run time has, the launcher and the container's entry point ask for: the networks, the
   * kernels, the profilers.
   */
  @Test
  void theImageAndItsLaunchersHaveTheSamePlugins() throws Exception {
    Pattern modules = Pattern.compile("--add-modules[= ]([a-z.,]+)");
    List<String> there = words(modules, "cli/pom.xml");
    there.removeAll(List.of("io.nitinol.cli", "io.nitinol.validate", VECTOR));
    assertThat(words(modules, "cli/src/dist/nitinol"))
        .containsExactlyInAnyOrderElementsOf(there)
        .contains("io.nitinol.samples.profilerjfr", "io.nitinol.samples.profilerjson");
    there.add(VECTOR);
    assertThat(words(modules, CONTAINER)).containsExactlyInAnyOrderElementsOf(there);
    assertThat(words(Pattern.compile("--enable-native-access=([a-z.,]+)"), CONTAINER))
        .isEqualTo(words(Pattern.compile("(?m)^native=([a-z.,]+)$"), "cli/src/dist/launch.sh"));
  }

  private static List<String> words(Pattern pattern, String file) throws IOException {
    Matcher matcher = pattern.matcher(Files.readString(ROOT.resolve(file)));
    assertThat(matcher.find()).as("%s in %s", pattern, file).isTrue();
    return new ArrayList<>(List.of(matcher.group(1).split(",", -1)));
  }

  /** jlink takes no jar without a module descriptor; the profile "dist" gives it to these. */
  @Test
  void theImageCanBeLinkedFromWhatTheCommandNeeds() throws Exception {
    Path[] path =
        Stream.of(System.getProperty("nitinol.module.path").split(File.pathSeparator, -1))
            .map(Path::of)
            .toArray(Path[]::new);
    Configuration command =
        ModuleLayer.boot()
            .configuration()
            .resolve(ModuleFinder.of(path), ModuleFinder.of(), Set.of("io.nitinol.cli"));
    List<String> automatic =
        command.modules().stream()
            .map(module -> module.reference().descriptor())
            .filter(ModuleDescriptor::isAutomatic)
            .map(ModuleDescriptor::name)
            .toList();
    assertThat(automatic).containsExactly("HdrHistogram");
    for (String name : automatic) {
      assertThat(Files.readString(ROOT.resolve("cli/pom.xml")))
          .contains("--patch-module=" + name + "=");
    }
  }
}
