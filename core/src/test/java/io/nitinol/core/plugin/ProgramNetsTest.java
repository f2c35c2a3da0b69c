// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.plugin.jars.PluginClass;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.finder.v1.FoundNet;
import io.nitinol.spi.finder.v1.NetFinder;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.v12.Net;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a plugin finds that rides on another one. */
class ProgramNetsTest extends PluginDirectory {

  private PluginCatalog catalog(String... variables) {
    Map<String, String> values = new HashMap<>();
    values.put("NITINOL_PLUGIN_PATH", plugins.toString());
    for (int i = 0; i < variables.length; i += 2) {
      values.put(variables[i], variables[i + 1]);
    }
    return PluginCatalog.discover(Environment.of(values), log);
  }

  private static FoundNet find(PluginCatalog catalog, String name) {
    return ProgramNets.find(catalog, ValidationMode.OFF, name);
  }

  @Test
  void aPluginFindsTheProgramsFinder() {
    assertThat(NetFinder.ofProgram()).isInstanceOf(ProgramNets.class);
  }

  @Test
  void anOlderVersionIsFoundAsTheNewestAndIsTheCallersOwn() {
    Path jar =
        jar()
            .plugin(
                PluginClass.net(4, "p.Four", "Old")
                    .members("private int started;")
                    .body("init", "started++;")
                    .body("devices", "return started;"))
            .write(plugins.resolve("old.jar"));
    PluginCatalog catalog = catalog();
    FoundNet one = find(catalog, "oLD");
    FoundNet other = find(catalog, "Old");
    assertThat(one.version()).isEqualTo(4);
    assertThat(one.mayWait()).isTrue();
    assertThat(one.loader()).isInstanceOf(IsolatedLoader.class);
    assertThat(one.origin()).contains(jar.toString());
    assertThat(one).hasToString("Old (v4, from " + one.origin() + ")");
    assertThat(one.net().devices()).as("before init").isZero();
    one.net().init(1, NetCommConfig.DEFAULT, log, null);
    one.net().init(2, NetCommConfig.DEFAULT, log, null);
    assertThat(one.net().devices()).as("how often version 4 was initialized").isOne();
    assertThat(other.net().devices()).as("an object of its own").isZero();
    assertThat(catalog.describe())
        .filteredOn(known -> known.name().equals("Old"))
        .extracting(PluginDescription::state)
        .as("the program's own object is left alone")
        .containsExactly(PluginState.FOUND);
  }

  @Test
  void theNewestVersionOfAName() {
    jar()
        .plugin(PluginClass.net(4, "p.Four", "Both"))
        .plugin(PluginClass.net(6, "p.Six", "Both"))
        .write(plugins.resolve("both.jar"));
    FoundNet found = find(catalog(), "Both");
    assertThat(found.version()).isEqualTo(6);
    assertThat(found.mayWait()).isFalse();
  }

  @Test
  void whatHasFailedComesBehindAnotherOfItsName() {
    Path first =
        jar()
            .plugin(
                PluginClass.net(6, "a.N", "Same")
                    .body("init", "throw new IllegalStateException();"))
            .write(plugins.resolve("a.jar"));
    Path second = jar().plugin(PluginClass.net(5, "b.N", "Same")).write(plugins.resolve("b.jar"));
    Candidate<Net> one = Discovery.only(first, log).nets().getFirst();
    Candidate<Net> other = Discovery.only(second, log).nets().getFirst();
    // As an external plugin and the built-in one of its name.
    PluginCatalog catalog = MadeCandidate.catalog(log, List.of(one, other));
    assertThat(find(catalog, "Same").origin()).contains("a.jar");
    assertThat(one.start(log)).isFalse();
    assertThat(find(catalog, "Same").origin()).contains("b.jar");
    other.dismiss(PluginState.EXCLUDED, "of the test");
    assertThat(find(catalog, "Same").origin()).contains("a.jar");
  }

  @Test
  void aNameThatNetPluginLeavesOutIsFound() {
    jar().plugin(PluginClass.net(6, "p.In", "In")).write(plugins.resolve("in.jar"));
    jar().plugin(PluginClass.net(6, "p.Out", "Out")).write(plugins.resolve("out.jar"));
    assertThat(find(catalog("NCCL_NET_PLUGIN", "In"), "Out").net().name()).isEqualTo("Out");
  }

  @Test
  void checkedCallsWithoutTheValidatorAreRefused() {
    jar().plugin(PluginClass.net(5, "p.Five", "Five")).write(plugins.resolve("five.jar"));
    PluginCatalog catalog = catalog();
    assertThatThrownBy(() -> ProgramNets.find(catalog, ValidationMode.FAIL, "Five"))
        .isInstanceOf(NetException.class)
        .hasMessageContaining("io.nitinol:nitinol-validate");
  }

  @Test
  void anUnknownNameListsWhatIsThereAndWhatWasRejected() {
    jar().plugin(PluginClass.net(5, "p.Quick", "Quick")).write(plugins.resolve("quick.jar"));
    jar()
        .plugin(
            PluginClass.net(6, "p.Broken", "Broken")
                .members("public Broken() { throw new IllegalStateException(\"no licence\"); }"))
        .write(plugins.resolve("broken.jar"));
    PluginCatalog catalog = catalog();
    assertThatThrownBy(() -> find(catalog, "Quikc"))
        .isInstanceOfSatisfying(
            NetException.class, e -> assertThat(e.result()).isEqualTo(ResultCode.INVALID_USAGE))
        .hasMessageContaining("no network has the name Quikc; did you mean Quick?")
        .hasMessageContaining("Quick (net [v5 (p.Quick)]) from")
        .hasMessageContaining("p.Broken: ")
        .hasMessageContaining("no licence")
        .hasMessageContaining("NITINOL_PLUGIN_PATH");
  }

  @Test
  void anObjectThatCannotBeMadeAgain() {
    jar()
        .plugin(
            PluginClass.net(6, "p.Once", "Once")
                .members("static int made;")
                .members(
                    "public Once() { if (made++ > 0) throw new IllegalStateException(\"only"
                        + " one\"); }"))
        .write(plugins.resolve("once.jar"));
    PluginCatalog catalog = catalog();
    assertThatThrownBy(() -> find(catalog, "Once"))
        .isInstanceOf(NetException.class)
        .hasMessageContaining("network Once from")
        .hasMessageContaining("only one");
  }
}
