// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.plugin.jars.PluginClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Discovery in {@code NITINOL_PLUGIN_PATH}: what is taken, in which version and order (SEL-03). */
class PluginPathTest extends PluginDirectory {

  @Test
  void aPlainJarWithServiceFiles() {
    Path jar = jar().plugin(PluginClass.net(6, "p.Six", "Six")).write(plugins.resolve("six.jar"));
    PluginDescription found = only(discover());
    assertThat(found.name()).isEqualTo("Six");
    assertThat(found.kind()).isEqualTo(PluginKind.NET);
    assertThat(found.state()).isEqualTo(PluginState.FOUND);
    assertThat(found.versions()).containsExactly(6);
    assertThat(found.adapters()).startsWith("v6->v7").endsWith("v11->v12").hasSize(6);
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
        .satisfiesExactly(
            steps -> assertThat(steps).startsWith("v4->v5", "v5->v6").endsWith("v11->v12"),
            steps -> assertThat(steps).startsWith("v5->v6", "v6->v7").endsWith("v11->v12"));
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
    assertThat(found.adapters()).startsWith("v6->v7").endsWith("v11->v12").hasSize(6);
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
