// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.plugin.jars.PluginJar;
import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM starts one like itself, in each way in which a JVM is started. */
class JvmCommandTest {
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

  /** Starts itself again as often as its argument says, and says where it is each time. */
  private static final String PROBE =
      """
      package probe;
      import io.nitinol.core.launch.JvmCommand;
      import java.util.List;
      public class Main {
        public static void main(String[] args) throws Exception {
          System.out.println(args[0] + " module=" + Main.class.getModule().getName()
              + " x=" + System.getProperty("x")
              + " native=" + Main.class.getModule().isNativeAccessEnabled()
              + " sql=" + ModuleLayer.boot().findModule("java.sql").isPresent());
          System.out.flush();
          int left = Integer.parseInt(args[0]) - 1;
          if (left >= 0) {
            List<String> command =
                JvmCommand.ofThisProcess().run(Main.class, List.of(Integer.toString(left)));
            System.exit(new ProcessBuilder(command).inheritIO().start().waitFor());
          }
        }
      }
      """;

  @TempDir Path directory;

  @Test
  void asSurefireStartedThisJvm() throws Exception {
    boolean modular = Boolean.getBoolean("nitinol.test.modular");
    JvmCommand command = JvmCommand.ofThisProcess().with(List.of("-Xmx80m", "-XX:+UseSerialGC"));
    String module = modular ? "io.nitinol.core" : "null";
    String line = output(command.run(LaunchedMain.class, List.of("a b", "")));
    assertThat(line).matches("a b  module=" + module + " heap=(7\\d|80) native=true\n");
    assertThat(LaunchedMain.class.getModule().isNamed()).isEqualTo(modular);
  }

  @Test
  void anotherCollectorAndNoAgents() {
    JvmCommand command =
        JvmCommand.ofThisProcess()
            .with(List.of("-XX:+UseG1GC", "-javaagent:a.jar", "-agentpath:b.so", "-ea"))
            .with(List.of("-XX:+UseSerialGC"))
            .withoutAgents();
    assertThat(command.run(LaunchedMain.class, List.of()))
        .contains("-XX:+UseSerialGC", "-ea")
        .noneMatch(word -> word.contains("G1GC") || word.startsWith("-javaagent"))
        .doesNotContain("-agentpath:b.so");
    assertThat(command.with(List.of("-Xmx64m")).run(LaunchedMain.class, List.of()))
        .contains("-XX:+UseSerialGC", "-Xmx64m");
  }

  @Test
  void fromTheModulePath() throws Exception {
    Path module = module();
    assertChain(
        "probe",
        JAVA.toString(),
        "-Dx=y",
        "--enable-native-access=probe",
        "--add-modules",
        "java.sql",
        "--module-path",
        path(module, core(), PluginJar.spi(), PluginJar.toolkit()),
        "--module",
        "probe/probe.Main");
  }

  @Test
  void fromTheClassPath() throws Exception {
    assertChain(
        "null",
        JAVA.toString(),
        "-Dx=y",
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        path(classes(), core(), PluginJar.spi(), PluginJar.toolkit()),
        "probe.Main");
  }

  @Test
  void fromAnArgumentFile() throws Exception {
    Path file = directory.resolve("args");
    Files.writeString(
        file,
        "-Dx=y --enable-native-access=ALL-UNNAMED -cp \""
            + path(classes(), core(), PluginJar.spi(), PluginJar.toolkit())
            + "\" probe.Main");
    assertChain("null", JAVA.toString(), "@" + file);
  }

  @Test
  void fromAJarWhoseManifestHasTheClassPath() throws Exception {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "probe.Main");
    manifest
        .getMainAttributes()
        .put(
            Attributes.Name.CLASS_PATH,
            classes().toUri()
                + " "
                + core().toUri()
                + " "
                + PluginJar.spi().toUri()
                + " "
                + PluginJar.toolkit().toUri());
    Path jar = directory.resolve("probe.jar");
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    assertChain(
        "null",
        JAVA.toString(),
        "-Dx=y",
        "--enable-native-access=ALL-UNNAMED",
        "-jar",
        jar.toString());
  }

  @Test
  void inARunTimeImage() throws Exception {
    Path image = directory.resolve("image");
    // In a process of its own: jlink does not link from a JVM that has patched modules.
    output(
        List.of(
            JAVA.resolveSibling("jlink").toString(),
            "--module-path",
            path(module(), core(), PluginJar.spi(), PluginJar.toolkit()),
            "--add-modules",
            "probe,java.sql",
            "--output",
            image.toString()));
    assertChain(
        "probe",
        image.resolve("bin/java").toString(),
        "-Dx=y",
        "--enable-native-access=probe",
        "--add-modules=java.sql",
        "-m",
        "probe/probe.Main");
  }

  @Test
  void theMainModuleStaysARoot() {
    // As with -m, where the module is not named by --add-modules.
    String before = System.getProperty("jdk.module.main");
    System.setProperty("jdk.module.main", "some.module");
    try {
      assertThat(JvmCommand.options("java\0-p\0x\0-m\0some.module/m.Main\0"))
          .containsSubsequence("-p", "x", "--add-modules", "some.module");
    } finally {
      if (before == null) {
        System.clearProperty("jdk.module.main");
      } else {
        System.setProperty("jdk.module.main", before);
      }
    }
  }

  @Test
  void withoutACommandLineTheBootLayerTells() {
    List<String> options = JvmCommand.options(null);
    if (Boolean.getBoolean("nitinol.test.modular")) {
      int modules = options.indexOf("--add-modules");
      assertThat(List.of(options.get(modules + 1).split(",")))
          .contains("io.nitinol.core", "io.nitinol.spi", "io.nitinol.toolkit")
          .noneMatch(module -> module.startsWith("java."));
      assertThat(options)
          .containsSubsequence("--module-path", System.getProperty("jdk.module.path"));
    } else {
      assertThat(options)
          .containsSubsequence("--class-path", System.getProperty("java.class.path"));
    }
    assertThat(options.get(options.indexOf("--enable-native-access") + 1)).contains("ALL-UNNAMED");
  }

  @Test
  void aClassOfAnotherLayerCannotBeRun() {
    ModuleFinder finder = ModuleFinder.of(module());
    ModuleLayer boot = ModuleLayer.boot();
    if (boot.findModule("io.nitinol.core").isEmpty()) {
      finder =
          ModuleFinder.compose(
              finder, ModuleFinder.of(core(), PluginJar.spi(), PluginJar.toolkit()));
    }
    Configuration configuration =
        boot.configuration().resolve(finder, ModuleFinder.of(), Set.of("probe"));
    ModuleLayer layer =
        boot.defineModulesWithOneLoader(configuration, ClassLoader.getPlatformClassLoader());
    Module module = layer.findModule("probe").orElseThrow();
    JvmCommand command = JvmCommand.ofThisProcess();
    assertThatThrownBy(() -> command.run(module, "probe.Main", List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("probe.Main")
        .hasMessageContaining("boot layer");
  }

  private void assertChain(String module, String... command) throws Exception {
    List<String> words = new ArrayList<>(List.of(command));
    words.add("2");
    String sql = "sql=true"; // a root by --add-modules, or one of the class path's defaults
    assertThat(output(words).lines())
        .containsExactly(
            "2 module=" + module + " x=y native=true " + sql,
            "1 module=" + module + " x=y native=true " + sql,
            "0 module=" + module + " x=y native=true " + sql);
  }

  private Path classes() {
    return new PluginJar(directory.resolve("plain"))
        .library(core())
        .library(PluginJar.toolkit())
        .source("probe.Main", PROBE)
        .classes();
  }

  private Path module() {
    return new PluginJar(directory.resolve("modular"))
        .module("probe", "io.nitinol.core")
        .library(core())
        .library(PluginJar.toolkit())
        .source("probe.Main", PROBE)
        .classes();
  }

  private static Path core() {
    return PluginJar.location(JvmCommand.class);
  }

  private static String path(Path... parts) {
    return String.join(":", java.util.Arrays.stream(parts).map(Path::toString).toList());
  }

  private String output(List<String> command) throws IOException, InterruptedException {
    Path out = directory.resolve("out");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assertThat(process.waitFor(240, TimeUnit.SECONDS)).as("ended: %s", command).isTrue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).as("%s", command).isZero();
    return Files.readString(out);
  }
}
