// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.plugin.jars.PluginClass;
import io.nitinol.core.plugin.jars.PluginJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is rejected, and why: never an exception out of discovery (SEL-10). */
class BrokenPluginTest extends PluginDirectory {

  /** The older version of a plugin whose newest is broken is better than nothing. */
  @Test
  void anOlderVersionStandsInForABrokenOne() {
    jar()
        .plugin(PluginClass.net(4, "p.Old", "Both"))
        .plugin(
            PluginClass.net(6, "p.New", "Both")
                .members("public New() { throw new IllegalStateException(\"no luck\"); }"))
        .write(plugins.resolve("both.jar"));
    List<PluginDescription> found = discover();
    assertThat(found)
        .extracting(PluginDescription::providerClass)
        .containsExactly("p.Old", "p.New");
    assertThat(found.get(0).version()).isEqualTo(4);
    assertThat(found.get(1).state()).isEqualTo(PluginState.REJECTED);
  }

  @Test
  void filesThatAreNoJars() throws IOException {
    Files.writeString(plugins.resolve("a-text.jar"), "hello");
    Files.write(plugins.resolve("b-empty.jar"), new byte[0]);
    Path whole =
        jar().plugin(PluginClass.net(6, "p.Six", "Six")).write(directory.resolve("six.jar"));
    byte[] bytes = Files.readAllBytes(whole);
    Files.write(plugins.resolve("c-truncated.jar"), Arrays.copyOf(bytes, bytes.length / 2));
    Files.writeString(plugins.resolve("libnccl-net-foo.so"), "ELF");
    List<PluginDescription> found = discover();
    assertThat(found)
        .extracting(PluginDescription::name)
        .containsExactly("a-text.jar", "b-empty.jar", "c-truncated.jar", "libnccl-net-foo.so");
    assertThat(found).extracting(PluginDescription::state).containsOnly(PluginState.REJECTED);
    assertThat(found.subList(0, 3))
        .allSatisfy(d -> assertThat(d.reason()).contains(d.name() + " is not a readable jar"));
    assertThat(found.get(3).reason()).contains("nothing here loads native plugins");
    assertThat(log.lines()).filteredOn(line -> line.startsWith("WARN")).hasSize(4);
  }

  @Test
  void entriesThatLeadNowhere() throws IOException {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    Path classes = directory.resolve("classes");
    Files.createFile(Files.createDirectories(classes.resolve("org/example")).resolve("My.class"));
    Path project = directory.resolve("project");
    Files.createFile(Files.createDirectories(project.resolve("a/classes/my")).resolve("My.class"));
    Files.createDirectories(project.resolve("a/classes/META-INF"));
    List<PluginDescription> found =
        discover(
            "NITINOL_PLUGIN_PATH",
            "%1$s/nowhere:%2$s:%1$s/libx.so:%3$s:%4$s"
                .formatted(directory, empty, classes, project));
    assertThat(found).extracting(PluginDescription::state).containsOnly(PluginState.REJECTED);
    assertThat(found.get(0).reason())
        .contains("nowhere of NITINOL_PLUGIN_PATH (set in the environment)", "does not exist");
    assertThat(found.get(1).reason()).contains("holds no jar").doesNotContain("classes (");
    assertThat(found.get(2).reason()).contains("does not exist");
    assertThat(found.get(3).reason())
        .contains("holds no jar", "but classes (org/example/My.class) without a META-INF/services");
    assertThat(found.get(4).reason())
        .contains("holds no jar", "but a directory of classes in it: a/classes");
  }

  @Test
  void providersThatAreBrokenInOtherWays() throws IOException {
    PluginJar many =
        jar()
            .provider("io.nitinol.spi.net.v6.Net", "p.Missing")
            .plugin(PluginClass.net(6, "p.Private", "x").members("private Private() {}"))
            .plugin(PluginClass.net(6, "p.Argument", "x").members("public Argument(int i) {}"))
            .plugin(
                PluginClass.net(6, "p.Throws", "x")
                    .members("public Throws() { throw new IllegalStateException(\"no driver\"); }"))
            .plugin(
                PluginClass.net(6, "p.Static", "x")
                    .members("static final int N = Integer.parseInt(\"boom\");"))
            .plugin(
                PluginClass.net(6, "p.Errs", "x")
                    .members("public Errs() { throw new AssertionError(\"asserted\"); }"))
            .plugin(PluginClass.net(6, "p.Abstract", "x").modifiers("public abstract"))
            .plugin(PluginClass.net(6, "p.Nameless", "x").body("name", "return null;"))
            .plugin(PluginClass.net(6, "p.Blank", "  "))
            .plugin(PluginClass.net(6, "p.Control", "a\\u0007b"))
            .plugin(
                PluginClass.net(6, "p.NameThrows", "x")
                    .body("name", "throw new IllegalStateException(\"who am I\");"))
            .source("p.Stranger", "package p; public class Stranger {}")
            .provider("io.nitinol.spi.net.v6.Net", "p.Stranger")
            .plugin(PluginClass.net(6, "p.Good", "Good"));
    many.write(plugins.resolve("many.jar"));
    List<PluginDescription> found = discover();
    Map<String, String> reasons = new HashMap<>();
    for (PluginDescription d : found.subList(1, found.size())) {
      assertThat(d.state()).isEqualTo(PluginState.REJECTED);
      assertThat(d.origin().location()).isEqualTo(plugins.resolve("many.jar").toString());
      assertThat(reasons.put(String.valueOf(d.providerClass()), d.reason())).as("%s", d).isNull();
    }
    assertThat(found.getFirst().name()).isEqualTo("Good");
    assertThat(found.getFirst().state()).isEqualTo(PluginState.FOUND);
    assertThat(reasons.keySet())
        .containsExactlyInAnyOrder(
            "p.Missing",
            "p.Private",
            "p.Argument",
            "p.Throws",
            "p.Static",
            "p.Errs",
            "p.Abstract",
            "p.Nameless",
            "p.Blank",
            "p.Control",
            "p.NameThrows",
            "p.Stranger");
    assertThat(reasons.get("p.Missing")).contains("not found");
    assertThat(reasons.get("p.Argument")).contains("constructor");
    assertThat(reasons.get("p.Throws")).contains("no driver");
    assertThat(reasons.get("p.Static")).contains("boom");
    assertThat(reasons.get("p.Errs")).contains("asserted");
    assertThat(reasons.get("p.Nameless")).contains("printable");
    assertThat(reasons.get("p.NameThrows")).contains("who am I");
    assertThat(reasons.get("p.Stranger")).containsAnyOf("not a subtype", "no usable provider");
  }

  /** Nothing says which class it was: to lack the same library looks the same for all. */
  @Test
  void severalThatFailAlikeDoNotHideAGoodOne() {
    Path library =
        jar()
            .source("lib.Base", "package lib; public abstract class Base { public Base() {} }")
            .write(directory.resolve("lib.jar"));
    PluginJar many = jar().library(library);
    for (String name : List.of("p.A", "p.B", "p.C")) {
      many.plugin(PluginClass.net(6, name, "x").extending("lib.Base"));
    }
    many.plugin(PluginClass.net(6, "p.Good", "Good")).write(plugins.resolve("many.jar"));
    List<PluginDescription> found = discover();
    assertThat(found.getFirst().name()).isEqualTo("Good");
    assertThat(found.subList(1, found.size()))
        .isNotEmpty()
        .allSatisfy(d -> assertThat(d.reason()).contains("lib/Base"));
  }

  /** One reason may be the beginning of another: each class has its own. */
  @Test
  void everyClassThatFailsIsNamed() {
    jar()
        .plugin(thrower("p.A", "no card in slot 1"))
        .plugin(thrower("p.B", "no card"))
        .write(plugins.resolve("two.jar"));
    assertThat(discover())
        .extracting(PluginDescription::providerClass)
        .containsExactly("p.A", "p.B");
  }

  private static PluginClass thrower(String className, String message) {
    return PluginClass.net(6, className, "x")
        .body("name", "throw new IllegalStateException(\"" + message + "\");");
  }

  @Test
  void aBrokenModuleDescriptorOrServiceFileRejectsItsJarOnly() throws IOException {
    jar()
        .source("p.Nothing", "package p; public class Nothing {}")
        .provider("io.nitinol.spi.net.v6.Net", "this is not a class name")
        .write(plugins.resolve("a.jar"));
    jar().plugin(PluginClass.net(6, "p.Six", "Six")).write(plugins.resolve("b.jar"));
    List<PluginDescription> found = discover();
    assertThat(found).extracting(PluginDescription::name).contains("Six");
    assertThat(found).hasSize(2);
    assertThat(found.get(1).state()).isEqualTo(PluginState.REJECTED);
    assertThat(found.get(1).origin().location()).endsWith("a.jar");
  }

  @Test
  void classesOfALaterJavaOrWithoutTheirLibrary() throws IOException {
    Path classes = jar().plugin(PluginClass.net(6, "p.Late", "Late")).classes();
    Path file = classes.resolve("p/Late.class");
    byte[] bytes = Files.readAllBytes(file);
    bytes[7] = (byte) 0xfe; // the class file's major version
    Files.write(file, bytes);
    copyAsJar(classes, plugins.resolve("a-late.jar"));
    Path library =
        jar()
            .source("lib.Base", "package lib; public class Base {}")
            .write(directory.resolve("lib.jar"));
    jar()
        .library(library)
        .plugin(
            PluginClass.net(6, "p.Lacks", "Lacks")
                .members("public final lib.Base base = new lib.Base();"))
        .write(plugins.resolve("b-lacks.jar"));
    List<PluginDescription> found = discover();
    assertThat(found).hasSize(2);
    assertThat(found).extracting(PluginDescription::state).containsOnly(PluginState.REJECTED);
    // On the class path the JVM reports the class alone, and not that it is a provider.
    assertThat(found.get(0).providerClass()).isIn("p.Late", null);
    assertThat(found.get(0).reason())
        .isEqualTo(
            "p.Late is compiled for Java 210, and this is Java " + Runtime.version().feature());
    assertThat(found.get(1).reason()).contains("lib/Base");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "init | throw new OutOfMemoryError(\"no more cards\"); | init failed: OutOfMemoryError: no more cards",
        "init | throw new InternalError(\"odd\"); | init failed: InternalError: odd",
        "devices | return 2_000_000_000; | devices() is 2000000000, expected 0 to 640",
        "devices | return 641; | devices() is 641, expected 0 to 640",
        "devices | return -3; | devices() is -3, expected 0 to 640",
      })
  void whatFailsWhenItIsStarted(String method, String statements, String reason) {
    jar()
        .plugin(PluginClass.net(6, "p.Bad", "Bad").body(method, statements))
        .write(plugins.resolve("bad.jar"));
    PluginDescription bad =
        only(
            PluginCatalog.discover(
                    Environment.of(Map.of("NITINOL_PLUGIN_PATH", plugins.toString())), log)
                .probeAll());
    assertThat(bad.state()).isEqualTo(PluginState.INIT_FAILED);
    assertThat(bad.reason()).isEqualTo(reason);
  }

  @Test
  void jarsWithoutAPlugin() throws IOException {
    jar().source("lib.Base", "package lib; public class Base {}").write(plugins.resolve("a.jar"));
    jar()
        .source("p.Future", "package p; public class Future {}")
        .provider("io.nitinol.spi.net.v19.Net", "p.Future")
        .write(plugins.resolve("b.jar"));
    List<PluginDescription> found = discover();
    Path empty = jar().source("lib.Base", "package lib; public class Base {}").classes();
    Path services = Files.createDirectories(empty.resolve("META-INF/services"));
    Files.createFile(services.resolve("io.nitinol.spi.net.v4.Net"));
    copyAsJar(empty, plugins.resolve("c.jar"));
    found = discover();
    assertThat(found.get(2).reason())
        .isEqualTo("META-INF/services/io.nitinol.spi.net.v4.Net names no class");
    assertThat(found.get(0).reason()).contains("offers no provider");
    assertThat(found.get(1).reason())
        .contains("offers io.nitinol.spi.net.v19.Net", "knows", "io.nitinol.spi.net.v12.Net");
  }
}
