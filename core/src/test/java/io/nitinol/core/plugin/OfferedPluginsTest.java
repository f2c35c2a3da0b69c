// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.plugin.jars.PluginClass;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import org.junit.jupiter.api.Test;

/** Plugins as they offer themselves: every version, and new objects of each. */
class OfferedPluginsTest extends PluginDirectory {

  private Settings settings(String... more) {
    return more.length == 0
        ? Environment.of(Map.of("NITINOL_PLUGIN_PATH", plugins.toString()))
        : Environment.of(Map.of("NITINOL_PLUGIN_PATH", plugins.toString(), more[0], more[1]));
  }

  @Test
  void everyVersionOfOneNameWithNewRawObjects() {
    Path jar =
        jar()
            .plugin(PluginClass.net(4, "p.Four", "Both"))
            .plugin(PluginClass.net(6, "p.Six", "BOTH"))
            .plugin(PluginClass.collNet(5, "p.Coll", "both"))
            .plugin(PluginClass.net(5, "p.Other", "Other"))
            .write(plugins.resolve("both.jar"));
    List<OfferedPlugin> offered = OfferedPlugins.named(settings(), log, "boTh");
    assertThat(offered)
        .extracting(OfferedPlugin::kind)
        .containsExactly(PluginKind.NET, PluginKind.COLLNET);
    OfferedPlugin net = offered.getFirst();
    assertThat(net.name()).isEqualTo("BOTH");
    assertThat(net.origin().location()).isEqualTo(jar.toString());
    assertThat(net.versions()).extracting(OfferedPlugin.Version::version).containsExactly(4, 6);
    assertThat(net.versions())
        .extracting(version -> version.provider().getName())
        .containsExactly("p.Four", "p.Six");
    assertThat(net.loader()).isSameAs(net.newest().provider().getClassLoader());
    assertThat(net.rejected()).isEmpty();
    OfferedPlugin.Version four = net.versions().getFirst();
    Object one = four.create();
    assertThat(one).isInstanceOf(io.nitinol.spi.net.v4.Net.class);
    assertThat(one.getClass()).isSameAs(four.provider());
    assertThat(four.create()).isNotSameAs(one);
    assertThat(offered.get(1).newest().create())
        .isInstanceOf(io.nitinol.spi.collnet.v5.CollNet.class);
  }

  @Test
  void aJarNamedByItsPath() {
    Path jar =
        jar()
            .module("net.two")
            .plugin(
                PluginClass.net(6, "p.hidden.Two", "Two")
                    .members("public static Two provider() { return new Two(2); }")
                    .members("private Two(int i) {}"))
            .plugin(PluginClass.collNet(6, "p.hidden.Coll", "Coll"))
            .write(directory.resolve("elsewhere.jar"));
    List<OfferedPlugin> offered = OfferedPlugins.at(jar, log);
    assertThat(offered).extracting(OfferedPlugin::name).containsExactly("Two", "Coll");
    assertThat(offered.getFirst().origin().application()).isFalse();
    assertThat(offered.getFirst().loader()).isInstanceOf(IsolatedLoader.class);
    OfferedPlugin.Version six = offered.getFirst().newest();
    assertThat(six.create())
        .isInstanceOf(io.nitinol.spi.net.v6.Net.class)
        .isNotSameAs(six.create());
  }

  @Test
  void theContextLoaderIsThePluginsOwnWhileAnObjectIsMade() {
    Path jar =
        jar()
            .plugin(
                PluginClass.net(6, "p.Looks", "Looks")
                    .members("final ClassLoader seen;")
                    .members(
                        "public Looks() { seen = Thread.currentThread().getContextClassLoader(); }")
                    .body("devices", "return seen == Looks.class.getClassLoader() ? 7 : 0;"))
            .write(directory.resolve("looks.jar"));
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    Object plugin = OfferedPlugins.at(jar, log).getFirst().newest().create();
    assertThat(((io.nitinol.spi.net.v6.Net) plugin).devices()).isEqualTo(7);
    assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(before);
  }

  @Test
  void whatFailsBesideAVersionIsToldWithIt() {
    Path jar =
        jar()
            .plugin(PluginClass.net(4, "p.Four", "Half"))
            .plugin(
                PluginClass.net(6, "p.Six", "Half")
                    .members("public Six() { throw new IllegalStateException(\"no licence\"); }"))
            .write(directory.resolve("half.jar"));
    OfferedPlugin half = OfferedPlugins.at(jar, log).getFirst();
    assertThat(half.versions()).extracting(OfferedPlugin.Version::version).containsExactly(4);
    assertThat(half.rejected()).hasSize(1);
    assertThat(half.rejected().getFirst().providerClass()).isEqualTo("p.Six");
    assertThat(half.rejected().getFirst().reason()).contains("no licence");
  }

  @Test
  void oneVersionTwiceIsToldToo() {
    Path jar =
        jar()
            .plugin(PluginClass.net(6, "p.A", "Twin"))
            .plugin(PluginClass.net(6, "p.B", "Twin"))
            .write(directory.resolve("twin.jar"));
    OfferedPlugin twin = OfferedPlugins.at(jar, log).getFirst();
    assertThat(twin.versions()).hasSize(1);
    assertThat(twin.newest().provider().getName()).isEqualTo("p.A");
    assertThat(twin.rejected().getFirst().reason()).contains("Twin in version 6 twice");
  }

  @Test
  void anObjectThatCannotBeMadeLater() {
    Path jar =
        jar()
            .plugin(
                PluginClass.net(6, "p.Once", "Once")
                    .members("static int made;")
                    .members(
                        "public Once() { if (made++ > 0) throw new IllegalStateException(\"only"
                            + " one\"); }"))
            .write(directory.resolve("once.jar"));
    OfferedPlugin.Version once = OfferedPlugins.at(jar, log).getFirst().newest();
    assertThatThrownBy(once::create)
        .isInstanceOf(ServiceConfigurationError.class)
        .hasRootCauseMessage("only one");
  }

  @Test
  void ofOneNameInTwoJarsTheFirstWithItsOwnCollNet() {
    jar().plugin(PluginClass.collNet(6, "a.C", "Same")).write(plugins.resolve("a.jar"));
    Path second =
        jar()
            .plugin(PluginClass.net(6, "b.N", "Same"))
            .plugin(PluginClass.collNet(6, "b.C", "Same"))
            .write(plugins.resolve("b.jar"));
    jar().plugin(PluginClass.net(6, "c.N", "Same")).write(plugins.resolve("c.jar"));
    assertThat(OfferedPlugins.named(settings(), log, "Same"))
        .extracting(offered -> offered.origin().location())
        .containsExactly(second.toString(), second.toString());
  }

  @Test
  void aNameThatNetPluginLeavesOutIsFound() {
    jar().plugin(PluginClass.net(6, "p.In", "In")).write(plugins.resolve("in.jar"));
    jar().plugin(PluginClass.net(6, "p.Out", "Out")).write(plugins.resolve("out.jar"));
    assertThat(OfferedPlugins.named(settings("NCCL_NET_PLUGIN", "In"), log, "Out")).hasSize(1);
  }

  @Test
  void anUnknownNameListsWhatIsThere() {
    jar().plugin(PluginClass.net(5, "p.Quick", "Quick")).write(plugins.resolve("quick.jar"));
    jar()
        .plugin(
            PluginClass.net(6, "p.Broken", "Broken")
                .members("public Broken() { throw new IllegalStateException(\"no licence\"); }"))
        .write(plugins.resolve("broken.jar"));
    assertThatThrownBy(() -> OfferedPlugins.named(settings(), log, "Quikc"))
        .isInstanceOfSatisfying(
            NetException.class, e -> assertThat(e.result()).isEqualTo(ResultCode.INVALID_USAGE))
        .hasMessageContaining("no plugin has the name Quikc; did you mean Quick?")
        .hasMessageContaining("Quick (net [v5 (p.Quick)]) from")
        .hasMessageContaining("p.Broken: ")
        .hasMessageContaining("no licence")
        .hasMessageContaining("NITINOL_PLUGIN_PATH");
  }

  @Test
  void aPathThatHoldsNoPluginSaysWhy() throws Exception {
    assertThatThrownBy(() -> OfferedPlugins.at(directory.resolve("absent.jar"), log))
        .isInstanceOf(NetException.class)
        .hasMessageContaining("no plugin can be loaded from " + directory.resolve("absent.jar"))
        .hasMessageContaining("does not exist");
    Path library = Files.createFile(directory.resolve("libnccl-net-x.so"));
    assertThatThrownBy(() -> OfferedPlugins.at(library, log))
        .hasMessageContaining("nothing here loads native plugins");
    Path empty =
        jar().source("p.Nothing", "package p; class Nothing {}").write(plugins.resolve("n.jar"));
    assertThatThrownBy(() -> OfferedPlugins.at(empty, log))
        .hasMessageContaining("offers no provider");
  }
}
