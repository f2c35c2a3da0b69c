// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.plugin.jars.PluginClass;
import io.nitinol.core.plugin.jars.PluginJar;
import io.nitinol.spi.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What a plugin sees and does not see (SEL-10). The build runs these tests twice, with Nitinol as
 * modules and on the class path.
 */
class PluginIsolationTest extends PluginDirectory {

  @Test
  void theBuildRunsThisBothWays() {
    assertThat(System.getProperty("nitinol.test.modular"))
        .as("set by the build, which runs these tests as modules and on the class path")
        .isIn(null, String.valueOf(modular()));
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

  /** Such a jar is an automatic module, with a package that the host's toolkit exports, too. */
  @Test
  void aPlainJarMayBundleACopyOfTheToolkit() {
    jar()
        .source(
            "io.nitinol.toolkit.Addresses",
            "package io.nitinol.toolkit; public class Addresses {"
                + " public static String own() { return \"bundled\"; } }")
        .plugin(
            PluginClass.net(6, "p.Six", "x")
                .body("name", "return io.nitinol.toolkit.Addresses.own();"))
        .write(plugins.resolve("six.jar"));
    PluginDescription found = only(discover());
    assertThat(found.reason()).isNull();
    assertThat(found.name()).isEqualTo("bundled");
  }

  @Test
  void aPlainJarMayLieBesideACopyOfTheToolkit() throws IOException {
    Path one = Files.createDirectory(plugins.resolve("one"));
    copyAsJar(PluginJar.toolkit(), one.resolve("nitinol-toolkit-copy.jar"));
    jar()
        .library(PluginJar.toolkit())
        .plugin(
            PluginClass.net(6, "p.Six", "x")
                .body(
                    "name",
                    "return io.nitinol.toolkit.ErrorText.of(\"%d\", 6)"
                        + " + (io.nitinol.toolkit.ErrorText.class.getClassLoader()"
                        + " == getClass().getClassLoader() ? \" own\" : \" host's\");"))
        .write(one.resolve("six.jar"));
    PluginDescription found = only(discover());
    assertThat(found.reason()).isNull();
    assertThat(found.name()).isEqualTo("6 own");
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
        .library(PluginJar.toolkit()) // core requires it
        .plugin(PluginClass.net(6, "p.Six", "Six"))
        .write(plugins.resolve("a.jar"));
    PluginDescription found = only(discover());
    if (modular()) {
      assertThat(found.state()).isEqualTo(PluginState.REJECTED);
      assertThat(found.reason())
          .contains("module net.six requires io.nitinol.core, which is hidden from plugins");
    }
  }
}
