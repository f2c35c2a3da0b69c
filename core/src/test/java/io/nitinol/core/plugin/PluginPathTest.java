// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.plugin.jars.PluginClass;
import io.nitinol.core.plugin.jars.PluginJar;
import io.nitinol.spi.NetException;
import io.nitinol.spi.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Discovery in {@code NITINOL_PLUGIN_PATH}: what is taken, what is rejected and why (SEL-10). The
 * build runs these tests twice, with Nitinol as modules and on the class path.
 */
class PluginPathTest {
  @TempDir Path directory;
  private Path plugins;
  private final RecordedLog log = new RecordedLog();
  private int jars;

  @BeforeEach
  void makeDirectory() throws IOException {
    plugins = Files.createDirectory(directory.resolve("plugins"));
  }

  private PluginJar jar() {
    return new PluginJar(directory.resolve("work" + jars++));
  }

  private List<PluginDescription> discover(String... variables) {
    Map<String, String> values = new HashMap<>();
    values.put("NITINOL_PLUGIN_PATH", plugins.toString());
    for (int i = 0; i < variables.length; i += 2) {
      values.put(variables[i], variables[i + 1]);
    }
    return PluginCatalog.discover(Environment.of(values), log).describe();
  }

  private static PluginDescription only(List<PluginDescription> all) {
    assertThat(all).hasSize(1);
    return all.getFirst();
  }

  private static boolean modular() {
    return NetException.class.getModule().isNamed();
  }

  @Test
  void theBuildRunsThisBothWays() {
    assertThat(System.getProperty("nitinol.test.modular"))
        .as("set by the build, which runs these tests as modules and on the class path")
        .isIn(null, String.valueOf(modular()));
  }

  @Test
  void aPlainJarWithServiceFiles() {
    Path jar = jar().plugin(PluginClass.net(6, "p.Six", "Six")).write(plugins.resolve("six.jar"));
    PluginDescription found = only(discover());
    assertThat(found.name()).isEqualTo("Six");
    assertThat(found.kind()).isEqualTo(PluginKind.NET);
    assertThat(found.state()).isEqualTo(PluginState.FOUND);
    assertThat(found.versions()).containsExactly(6);
    assertThat(found.adapters()).isEmpty();
    assertThat(found.providerClass()).isEqualTo("p.Six");
    assertThat(found.origin().location()).isEqualTo(jar.toString());
    assertThat(found.origin().application()).isFalse();
    assertThat(found.origin().module()).isEqualTo(modular() ? "six" : null);
    assertThat(found.devices()).isEmpty();
    assertThat(log.lines())
        .anyMatch(line -> line.startsWith("INFO NET/Plugin: found net plugin Six"));
  }

  @Test
  void aModularJarInPackagesThatItDoesNotExport() {
    jar()
        .module("net.six")
        .plugin(PluginClass.net(6, "p.hidden.Six", "Six"))
        .write(plugins.resolve("six.jar"));
    PluginDescription found = only(discover());
    assertThat(found.name()).isEqualTo("Six");
    assertThat(found.state()).isEqualTo(PluginState.FOUND);
    assertThat(found.origin().module()).isEqualTo(modular() ? "net.six" : null);
  }

  @Test
  void aModuleWhoseProviderMethodMakesThePlugin() {
    jar()
        .module("net.six")
        .plugin(
            PluginClass.net(6, "p.Six", "Six")
                .members("public static Six provider() { return new Six(1); }")
                .members("private Six(int i) {}"))
        .write(plugins.resolve("six.jar"));
    assertThat(only(discover()).name()).isEqualTo("Six");
  }

  @Test
  void adaptersLiftWhatIsOld() {
    jar().plugin(PluginClass.net(4, "p.Four", "Four")).write(plugins.resolve("a.jar"));
    jar().plugin(PluginClass.net(5, "p.Five", "Five")).write(plugins.resolve("b.jar"));
    List<PluginDescription> found = discover();
    assertThat(found).extracting(PluginDescription::name).containsExactly("Four", "Five");
    assertThat(found).extracting(PluginDescription::version).containsExactly(4, 5);
    assertThat(found)
        .extracting(PluginDescription::adapters)
        .containsExactly(List.of("v4->v5", "v5->v6"), List.of("v5->v6"));
  }

  @Test
  void theNewestVersionOfANameIsTaken() {
    jar()
        .plugin(PluginClass.net(4, "p.Old", "Both"))
        .plugin(PluginClass.net(6, "p.New", "both"))
        .write(plugins.resolve("both.jar"));
    PluginDescription found = only(discover());
    assertThat(found.versions()).containsExactly(4, 6);
    assertThat(found.version()).isEqualTo(6);
    assertThat(found.adapters()).isEmpty();
    assertThat(found.providerClass()).isEqualTo("p.New");
  }

  @Test
  void oneVersionTwiceUnderOneNameInOneJar() {
    jar()
        .plugin(PluginClass.net(6, "p.A", "Twin"))
        .plugin(PluginClass.net(6, "p.B", "Twin"))
        .write(plugins.resolve("twin.jar"));
    List<PluginDescription> found = discover();
    assertThat(found).extracting(PluginDescription::providerClass).containsExactly("p.A", "p.B");
    assertThat(found.get(1).state()).isEqualTo(PluginState.REJECTED);
    assertThat(found.get(1).reason()).contains("Twin in version 6 twice");
  }

  @Test
  void aDuplicateNameNamesBothOrigins() {
    Path first = jar().plugin(PluginClass.net(5, "p.A", "Same")).write(plugins.resolve("a.jar"));
    Path second = jar().plugin(PluginClass.net(6, "q.B", "SAME")).write(plugins.resolve("b.jar"));
    List<PluginDescription> found = discover();
    assertThat(found)
        .extracting(PluginDescription::state)
        .containsExactly(PluginState.FOUND, PluginState.REJECTED);
    assertThat(found.get(1).reason()).contains(first.toString(), second.toString());
  }

  @Test
  void aDirectoryOfJarsIsOnePlugin() throws IOException {
    Path one = Files.createDirectory(plugins.resolve("one"));
    Path library =
        jar()
            .source(
                "lib.Helper",
                "package lib; public class Helper { public static String n() { return \"Helped\"; } }")
            .write(one.resolve("helper-1.0.jar"));
    jar()
        .library(library)
        .plugin(PluginClass.net(6, "p.Uses", "x").body("name", "return lib.Helper.n();"))
        .write(one.resolve("uses.jar"));
    Files.createDirectory(plugins.resolve("empty"));
    Files.writeString(plugins.resolve("README.txt"), "not a plugin");
    PluginDescription found = only(discover());
    assertThat(found.name()).isEqualTo("Helped");
    assertThat(found.origin().location()).isEqualTo(one.toString());
  }

  @Test
  void modularAndPlainJarsTogether() throws IOException {
    Path one = Files.createDirectory(plugins.resolve("one"));
    Path library =
        jar()
            .source(
                "lib.Helper",
                "package lib; public class Helper { public static String n() { return \"Helped\"; } }")
            .write(one.resolve("helper.jar"));
    jar()
        .module("net.uses", "helper")
        .library(library)
        .plugin(PluginClass.net(6, "p.Uses", "x").body("name", "return lib.Helper.n();"))
        .write(one.resolve("uses.jar"));
    assertThat(only(discover()).name()).isEqualTo("Helped");
  }

  @Test
  void aDirectoryOfClassesIsOnePlugin() {
    Path classes = jar().plugin(PluginClass.net(6, "p.Six", "Six")).classes();
    PluginDescription plain = only(discover("NITINOL_PLUGIN_PATH", classes.toString()));
    assertThat(plain.name()).isEqualTo("Six");
    assertThat(plain.origin().module()).isNull();
    Path module = jar().module("net.six").plugin(PluginClass.net(6, "p.Six", "Six")).classes();
    PluginDescription modular = only(discover("NITINOL_PLUGIN_PATH", module.toString()));
    assertThat(modular.name()).isEqualTo("Six");
    assertThat(modular.origin().module()).isEqualTo(modular() ? "net.six" : null);
  }

  @Test
  void entriesAreTakenInOrderAndAJarIsAnEntryToo() throws IOException {
    Path late = Files.createDirectory(directory.resolve("late"));
    jar().plugin(PluginClass.net(6, "p.A", "A")).write(late.resolve("a.jar"));
    Path jar = jar().plugin(PluginClass.net(6, "p.Z", "Z")).write(directory.resolve("z.jar"));
    List<PluginDescription> found = discover("NITINOL_PLUGIN_PATH", jar + ": " + late + "::" + jar);
    assertThat(found).extracting(PluginDescription::name).containsExactly("Z", "A");
  }

  @Test
  void aPluginSeesNeitherCoreNorTheApplicationNorOtherPlugins() {
    jar()
        .source("other.Secret", "package other; public class Secret {}")
        .plugin(PluginClass.net(6, "other.Other", "Other"))
        .write(plugins.resolve("a.jar"));
    String look =
        """
        java.util.List<String> seen = new java.util.ArrayList<>();
        for (String name : new String[] {"io.nitinol.core.plugin.PluginCatalog",
            "io.nitinol.core.Communicator", "other.Secret", "org.junit.jupiter.api.Test"}) {
          for (ClassLoader from : new ClassLoader[] {
              Looker.class.getClassLoader(), Thread.currentThread().getContextClassLoader()}) {
            try {
              seen.add(Class.forName(name, false, from).getName());
            } catch (ClassNotFoundException e) {
              // as it should be
            }
          }
        }
        if (!seen.isEmpty()) throw new IllegalStateException("sees " + seen);
        try {
          Class.forName("p.Looker", false, Looker.class.getClassLoader());
          Class.forName("io.nitinol.spi.NetException", false, Looker.class.getClassLoader());
          Class.forName("java.sql.Connection", false, Looker.class.getClassLoader());
        } catch (ClassNotFoundException e) {
          throw new IllegalStateException(e);
        }
        """;
    jar()
        .plugin(
            PluginClass.net(6, "p.Looker", "Looker")
                .members("public Looker() { " + look + " }")
                .init(look))
        .write(plugins.resolve("b.jar"));
    Settings settings = Environment.of(Map.of("NITINOL_PLUGIN_PATH", plugins.toString()));
    List<PluginDescription> found = PluginCatalog.discover(settings, log).probeAll();
    assertThat(found.get(1).reason()).isNull();
    assertThat(found).extracting(PluginDescription::name).containsExactly("Other", "Looker");
    assertThat(found.get(1).state()).isEqualTo(PluginState.AVAILABLE);
  }

  @Test
  void aPluginFindsItsOwnResourcesAndServices() {
    jar()
        .source("p.Service", "package p; public interface Service { String text(); }")
        .source(
            "p.Served",
            "package p; public class Served implements Service { public String text() { return \"served\"; } }")
        .provider("p.Service", "p.Served")
        .plugin(
            PluginClass.net(6, "p.Six", "x")
                .body(
                    "name",
                    "return java.util.ServiceLoader.load(Service.class).findFirst().get().text();")
                .init(
                    "if (Six.class.getResource(\"/META-INF/services/p.Service\") == null"
                        + " || Six.class.getResource(\"Six.class\") == null)"
                        + " throw new IllegalStateException();"))
        .write(plugins.resolve("six.jar"));
    List<PluginDescription> found =
        PluginCatalog.discover(
                Environment.of(Map.of("NITINOL_PLUGIN_PATH", plugins.toString())), log)
            .probeAll();
    assertThat(only(found).name()).isEqualTo("served");
    assertThat(only(found).state()).isEqualTo(PluginState.AVAILABLE);
  }

  /** What was allowed to core is allowed to the plugins it loads. */
  @Test
  void aPluginMayCallNativeCodeWhereCoreMay() {
    assertThat(PluginCatalog.class.getModule().isNativeAccessEnabled()).as("in this test").isTrue();
    jar()
        .plugin(
            PluginClass.net(6, "p.Six", "Six")
                .init(
                    "if (!getClass().getModule().isNativeAccessEnabled())"
                        + " throw new IllegalStateException(\"not allowed\");"))
        .write(plugins.resolve("six.jar"));
    List<PluginDescription> found =
        PluginCatalog.discover(
                Environment.of(Map.of("NITINOL_PLUGIN_PATH", plugins.toString())), log)
            .probeAll();
    assertThat(only(found).reason()).isNull();
  }

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
  void aCopyOfTheInterfacesInThePluginIsIgnored() throws IOException {
    Path one = Files.createDirectory(plugins.resolve("one"));
    copyAsJar(PluginJar.spi(), one.resolve("nitinol-spi-copy.jar"));
    jar()
        .module("net.six")
        .plugin(PluginClass.net(6, "p.Six", "Six"))
        .write(one.resolve("six.jar"));
    PluginDescription found = only(discover());
    assertThat(found.name()).isEqualTo("Six");
    assertThat(found.state()).isEqualTo(PluginState.FOUND);
  }

  private void copyAsJar(Path from, Path to) throws IOException {
    if (Files.isRegularFile(from)) {
      Files.copy(from, to);
      return;
    }
    java.util.spi.ToolProvider jar = java.util.spi.ToolProvider.findFirst("jar").orElseThrow();
    assertThat(
            jar.run(System.err, System.err, "-c", "-f", to.toString(), "-C", from.toString(), "."))
        .isZero();
  }

  @Test
  void aModuleThatRequiresWhatIsHidden() throws IOException {
    // A module of another plugin: it exists, and this plugin may not have it.
    Path other =
        jar()
            .module("net.other")
            .plugin(PluginClass.net(6, "other.Other", "Other"))
            .write(plugins.resolve("a.jar"));
    jar()
        .module("net.six", "net.other")
        .library(other)
        .plugin(PluginClass.net(6, "p.Six", "Six"))
        .write(plugins.resolve("b.jar"));
    List<PluginDescription> found = discover();
    if (modular()) {
      assertThat(found.get(1).state()).isEqualTo(PluginState.REJECTED);
      assertThat(found.get(1).reason()).contains("net.other").contains("net.six");
    } else {
      // No layer checks a requires clause here; the classes are hidden all the same.
      assertThat(found.get(1).name()).isEqualTo("Six");
    }
  }

  @Test
  void aModuleThatRequiresCore() throws IOException {
    jar()
        .module("net.six", "io.nitinol.core")
        .library(PluginJar.location(PluginCatalog.class))
        .plugin(PluginClass.net(6, "p.Six", "Six"))
        .write(plugins.resolve("a.jar"));
    PluginDescription found = only(discover());
    if (modular()) {
      assertThat(found.state()).isEqualTo(PluginState.REJECTED);
      assertThat(found.reason())
          .contains("module net.six requires io.nitinol.core, which is hidden from plugins");
    }
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
    assertThat(found.get(3).reason()).contains("native plugins are not loadable in this version");
    assertThat(log.lines()).filteredOn(line -> line.startsWith("WARN")).hasSize(4);
  }

  @Test
  void entriesThatLeadNowhere() throws IOException {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    List<PluginDescription> found =
        discover(
            "NITINOL_PLUGIN_PATH", directory + "/nowhere:" + empty + ":" + directory + "/libx.so");
    assertThat(found).extracting(PluginDescription::state).containsOnly(PluginState.REJECTED);
    assertThat(found.get(0).reason())
        .contains("nowhere of NITINOL_PLUGIN_PATH (set in the environment)", "does not exist");
    assertThat(found.get(1).reason()).contains("holds no jar");
    assertThat(found.get(2).reason()).contains("does not exist");
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
    assertThat(found.get(0).reason()).contains("UnsupportedClassVersionError");
    assertThat(found.get(1).reason()).contains("lib/Base");
  }

  @Test
  void jarsWithoutAPlugin() throws IOException {
    jar().source("lib.Base", "package lib; public class Base {}").write(plugins.resolve("a.jar"));
    jar()
        .source("p.Future", "package p; public class Future {}")
        .provider("io.nitinol.spi.net.v9.Net", "p.Future")
        .write(plugins.resolve("b.jar"));
    List<PluginDescription> found = discover();
    assertThat(found.get(0).reason()).contains("offers no provider");
    assertThat(found.get(1).reason())
        .contains("offers io.nitinol.spi.net.v9.Net", "knows", "io.nitinol.spi.net.v6.Net");
  }

  @Test
  void noneOpensNothing() {
    jar()
        .plugin(
            PluginClass.net(6, "p.Six", "Six")
                .members("static { System.setProperty(\"nitinol.test.opened\", \"yes\"); }"))
        .write(plugins.resolve("six.jar"));
    PluginDescription found = only(discover("NCCL_NET_PLUGIN", " NONE "));
    assertThat(found.name()).isEqualTo("six.jar");
    assertThat(found.state()).isEqualTo(PluginState.EXCLUDED);
    assertThat(found.reason()).contains("NCCL_NET_PLUGIN (set in the environment) is none");
    assertThat(System.getProperty("nitinol.test.opened")).isNull();
  }
}
