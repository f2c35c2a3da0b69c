// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.selection;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.compat.selection.ProbeProcess.Outcome;
import io.nitinol.core.plugin.jars.PluginClass;
import io.nitinol.core.plugin.jars.PluginJar;
import io.nitinol.spi.testing.FirstRows;
import io.nitinol.spi.testing.QuickRows;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Starts processes as a user does, and compares choice and message with the environment. */
class SelectionTest {

  /** How Nitinol is put into the JVM. */
  enum Way {
    MODULES,
    CLASS_PATH;

    ProbeProcess process(Path work) {
      ProbeProcess process =
          this == MODULES ? ProbeProcess.modular(work) : ProbeProcess.onClassPath(work);
      // The interface that is there wherever tests run.
      return process.with("NCCL_SOCKET_IFNAME", "lo");
    }
  }

  @TempDir Path work;
  private int jars;

  private Path jar(Path file, PluginClass... classes) {
    PluginJar jar = new PluginJar(work.resolve("jar" + jars++));
    for (PluginClass plugin : classes) {
      jar.plugin(plugin);
    }
    return jar.write(file);
  }

  private Path module(String name, PluginClass... classes) {
    PluginJar jar = new PluginJar(work.resolve("jar" + jars++)).module(name);
    for (PluginClass plugin : classes) {
      jar.plugin(plugin);
    }
    return jar.write(work.resolve("modules/" + name + ".jar"));
  }

  /** Version 6, and how core sees it. */
  private static final String SIX = "6 [v6->v7, v7->v8, v8->v9, v9->v10, v10->v11, v11->v12]";

  /** The version of the built-in networks, which core speaks itself. */
  private static final String OWN = "12 []";

  private static void assertChosen(Outcome outcome, String name, String version) {
    assertThat(outcome.status()).as("%s", outcome).isZero();
    assertThat(outcome.output().lines()).contains("chosen " + name, "version " + version);
  }

  @ParameterizedTest
  @EnumSource
  void withNothingSetTheBuiltInNetworksAreTried(Way way) throws Exception {
    Outcome outcome = way.process(work).with("NCCL_DEBUG", "INFO").run();
    assertChosen(outcome, "Socket", OWN);
    assertThat(outcome.output().lines())
        .contains("module " + (way == Way.MODULES ? "io.nitinol.net.socket" : "null"));
    assertThat(outcome.errors())
        .containsPattern("NCCL INFO Using network Socket \\(v12, \\d+ device");
  }

  /** A built-in network replaces a plugin of the same name that does not work. */
  @ParameterizedTest
  @EnumSource
  @QuickRows(1)
  void aBrokenPluginNamedLikeABuiltInNetworkLeavesTheBuiltInOne(Way way) throws Exception {
    Path broken =
        jar(
            work.resolve("plugins/fast.jar"),
            PluginClass.net(6, "p.Fast", "socket")
                .init("throw new IllegalStateException(\"no card\");"));
    for (String wanted : new String[] {"", "Socket"}) {
      Outcome outcome =
          way.process(work)
              .with("NITINOL_PLUGIN_PATH", broken.getParent())
              .with("NCCL_NET", wanted)
              .with("NCCL_DEBUG", "INFO")
              .run();
      assertChosen(outcome, "Socket", OWN);
      assertThat(outcome.errors())
          .contains("NET/socket: init failed: IllegalStateException: no card")
          .containsPattern("NCCL INFO Using network Socket \\(v12, \\d+ device");
    }
  }

  /** If that plugin works, it is used: external plugins come first. */
  @ParameterizedTest
  @EnumSource
  @QuickRows(1)
  void aPluginNamedLikeABuiltInNetworkComesFirst(Way way) throws Exception {
    Path plugin =
        jar(work.resolve("plugins/fast.jar"), PluginClass.net(5, "p.Fast", "Socket").devices(2));
    Outcome outcome = way.process(work).with("NITINOL_PLUGIN_PATH", plugin.getParent()).run();
    assertChosen(
        outcome, "Socket", "5 [v5->v6, v6->v7, v7->v8, v8->v9, v9->v10, v10->v11, v11->v12]");
    assertThat(outcome.output().lines())
        .contains("from " + plugin)
        .contains("candidate Socket, found, null");
  }

  @ParameterizedTest
  @EnumSource
  @QuickRows(1)
  void aNameThatNobodyHas(Way way) throws Exception {
    Path broken = Files.createDirectory(work.resolve("plugins"));
    Files.writeString(broken.resolve("broken.jar"), "no jar");
    jar(
        broken.resolve("cold.jar"),
        PluginClass.net(5, "p.Cold", "Cold").init("throw new IllegalStateException(\"no card\");"));
    Outcome outcome =
        way.process(work).with("NCCL_NET", "Nope").with("NITINOL_PLUGIN_PATH", broken).run();
    assertThat(outcome.status()).isEqualTo(3);
    assertThat(outcome.errors())
        .startsWith(
            "INVALID_USAGE: no network can be used: NCCL_NET=Nope (set in the environment) is the"
                + " name of no candidate")
        .containsPattern(
            "Cold \\(v5, adapted to v12\\) from .*cold.jar\\)?: not the network that NCCL_NET=Nope")
        .contains("Socket (v12) from ")
        .contains("broken.jar: rejected: broken.jar is not a readable jar");
  }

  @ParameterizedTest
  @EnumSource
  @FirstRows(1)
  void anExternalPluginComesFirstAndNcclNetDecides(Way way) throws Exception {
    Path plugin =
        jar(work.resolve("plugins/four.jar"), PluginClass.net(4, "p.Four", "Four").devices(2));
    Outcome first =
        way.process(work)
            .with("NITINOL_PLUGIN_PATH", plugin.getParent())
            .with("NCCL_DEBUG", "INFO")
            .run();
    assertChosen(
        first, "Four", "4 [v4->v5, v5->v6, v6->v7, v7->v8, v8->v9, v9->v10, v10->v11, v11->v12]");
    assertThat(first.output().lines()).contains("from " + plugin, "devices 2");
    assertThat(first.errors())
        .contains("NCCL INFO Using network Four (v4, adapted to v12, 2 devices) from ");
    assertChosen(
        way.process(work)
            .with("NITINOL_PLUGIN_PATH", plugin.getParent())
            .with("NCCL_NET", "sOCKET")
            .run(),
        "Socket",
        OWN);
    assertChosen(
        way.process(work)
            .with("NITINOL_PLUGIN_PATH", plugin.getParent())
            .with("NCCL_NET_PLUGIN", "none")
            .run(),
        "Socket",
        OWN);
  }

  /** The plugins that this repository ships for old versions, as their builds leave them. */
  @ParameterizedTest
  @EnumSource
  @QuickRows(1)
  void theSamplesOfOldVersions(Way way) throws Exception {
    String samples = System.getProperty("nitinol.samples.path");
    Outcome four =
        way.process(work).with("NITINOL_PLUGIN_PATH", samples).with("NCCL_NET", "SampleV4").run();
    assertChosen(
        four,
        "SampleV4",
        "4 [v4->v5, v5->v6, v6->v7, v7->v8, v8->v9, v9->v10, v10->v11, v11->v12]");
    assertChosen(
        way.process(work).with("NITINOL_PLUGIN_PATH", samples).with("NCCL_NET", "samplev5").run(),
        "SampleV5",
        "5 [v5->v6, v6->v7, v7->v8, v8->v9, v9->v10, v10->v11, v11->v12]");
  }

  @ParameterizedTest
  @EnumSource
  @QuickRows(1)
  void aPluginNamedByItsPath(Way way) throws Exception {
    Path plugin = jar(work.resolve("elsewhere/five.jar"), PluginClass.net(5, "p.Five", "Five"));
    assertChosen(
        way.process(work).with("NCCL_NET_PLUGIN", plugin).run(),
        "Five",
        "5 [v5->v6, v6->v7, v7->v8, v8->v9, v9->v10, v10->v11, v11->v12]");
    Outcome outcome =
        way.process(work)
            .with("NCCL_NET_PLUGIN", "/opt/lib/libnccl-net-aws.so,./nowhere.jar")
            .run();
    assertChosen(outcome, "Socket", OWN);
    assertThat(outcome.output())
        .contains("candidate /opt/lib/libnccl-net-aws.so, rejected", "gives no native access")
        .contains("candidate ./nowhere.jar, rejected", "does not exist");
  }

  @ParameterizedTest
  @EnumSource
  void aPluginSeesNothingOfTheApplication(Way way) throws Exception {
    String look =
        """
        for (String name : new String[] {"io.nitinol.core.plugin.PluginCatalog",
            "io.nitinol.core.log.Log", "io.nitinol.net.socket.SocketNet", "picocli.CommandLine",
            "io.nitinol.compat.selection.SelectionProbe"}) {
          try {
            throw new IllegalStateException("sees " + Class.forName(name));
          } catch (ClassNotFoundException e) {
            // as it should be
          }
        }
        """;
    Path plugin =
        jar(work.resolve("plugins/looker.jar"), PluginClass.net(6, "p.L", "Looker").init(look));
    assertChosen(way.process(work).with("NITINOL_PLUGIN_PATH", plugin).run(), "Looker", SIX);
  }

  @Test
  void aPluginThatReliesOnCoreIsRefused() throws Exception {
    Path plugin =
        new PluginJar(work.resolve("spy"))
            .module("net.spy", "io.nitinol.core")
            .library(PluginJar.location(io.nitinol.toolkit.ErrorText.class))
            .library(PluginJar.location(io.nitinol.core.plugin.PluginCatalog.class))
            .plugin(PluginClass.net(6, "p.Spy", "Spy").init("io.nitinol.core.log.Log.process();"))
            .write(work.resolve("plugins/spy.jar"));
    Outcome modular = Way.MODULES.process(work).with("NITINOL_PLUGIN_PATH", plugin).run();
    assertChosen(modular, "Socket", OWN);
    assertThat(modular.output())
        .contains(
            "candidate spy.jar, rejected, module net.spy requires io.nitinol.core, which is hidden");
    Outcome classPath = Way.CLASS_PATH.process(work).with("NITINOL_PLUGIN_PATH", plugin).run();
    assertChosen(classPath, "Socket", OWN);
    assertThat(classPath.output())
        .contains(
            "candidate Spy, init failed, init failed: NoClassDefFoundError: io/nitinol/core/log/Log");
  }

  /** External ones in the order found, then IB, then Socket, whatever the module path's order. */
  @Test
  void theBuiltInNetworksComeLast() throws Exception {
    Path[] modules = {
      module(
          "m.socket",
          PluginClass.net(6, "s.S", "Socket")
              .init("boom();")
              .members("static void boom() { throw new IllegalStateException(); }")),
      module("m.ib", PluginClass.net(6, "i.I", "IB").devices(0)),
      module("m.zeta", PluginClass.net(6, "z.Z", "Zeta").devices(0)),
    };
    Path extra = jar(work.resolve("plugins/a.jar"), PluginClass.net(6, "a.A", "Alpha").devices(0));
    Outcome outcome =
        ProbeProcess.modularWith(work, modules).with("NITINOL_PLUGIN_PATH", extra).run();
    assertThat(outcome.status()).isEqualTo(3);
    assertThat(candidates(outcome)).containsExactly("Alpha", "Zeta", "IB", "Socket");
    assertThat(outcome.errors()).contains("none of the candidates works");

    Outcome none = ProbeProcess.modularWith(work, modules).with("NCCL_NET_PLUGIN", "None").run();
    assertThat(candidates(none)).containsExactly("IB", "Socket", "Zeta");
    assertThat(none.output())
        .contains("candidate Zeta, excluded, NCCL_NET_PLUGIN (set in the environment) is None");

    Outcome listed =
        ProbeProcess.modularWith(work, modules)
            .with("NITINOL_PLUGIN_PATH", extra)
            .with("NCCL_NET_PLUGIN", "m.zeta,Socket,alpha")
            .run();
    assertThat(candidates(listed)).containsExactly("Zeta", "Alpha", "IB", "Socket", "Socket");
    assertThat(listed.output()).contains("is built in and tried after the external plugins anyway");
  }

  @Test
  void collNetOfTheSameModule() throws Exception {
    Path[] modules = {
      module("m.a", PluginClass.net(6, "a.A", "Alpha"), PluginClass.collNet(5, "a.C", "AColl")),
      module("m.b", PluginClass.net(6, "b.B", "Beta"), PluginClass.collNet(6, "b.C", "BColl")),
    };
    assertThat(
            ProbeProcess.modularWith(work, modules).with("NCCL_NET", "beta").run().output().lines())
        .contains("chosen Beta", "collnet BColl");
    assertThat(
            ProbeProcess.modularWith(work, modules)
                .with("NCCL_NET", "beta")
                .with("NITINOL_COLLNET", "acoll")
                .run()
                .output()
                .lines())
        .contains("chosen Beta", "collnet AColl");
  }

  @Test
  void aBrokenProviderOnTheModulePathIsOneReason() throws Exception {
    Path[] modules = {
      module(
          "m.bad",
          PluginClass.net(6, "b.B", "Bad")
              .members("public B() { throw new IllegalStateException(\"no luck\"); }")),
      module("m.good", PluginClass.net(6, "g.G", "Good")),
    };
    Outcome outcome = ProbeProcess.modularWith(work, modules).with("NCCL_DEBUG", "WARN").run();
    assertChosen(outcome, "Good", SIX);
    assertThat(candidates(outcome)).containsExactly("Good", "b.B");
    assertThat(outcome.errors()).contains("rejected: ").contains("no luck");
  }

  @Test
  void aVariableFromAFileIsNamedWithItsLine() throws Exception {
    Path file = Files.writeString(work.resolve(".nccl.conf"), "# mine\nNCCL_NET=Sokcet\n");
    Outcome outcome = Way.MODULES.process(work).run();
    assertThat(outcome.status()).isEqualTo(3);
    assertThat(outcome.errors())
        .contains("NCCL_NET=Sokcet (set in " + file + ":2)", "did you mean Socket?");
  }

  private static Stream<String> candidates(Outcome outcome) {
    return outcome
        .output()
        .lines()
        .filter(line -> line.startsWith("candidate "))
        .map(line -> line.substring("candidate ".length(), line.indexOf(',')));
  }
}
