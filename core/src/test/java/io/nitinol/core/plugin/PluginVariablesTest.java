// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.config.MisspeltNames;
import io.nitinol.core.plugin.jars.PluginClass;
import io.nitinol.core.plugin.jars.PluginJar;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import io.nitinol.spi.config.VariableCatalog;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The variables that plugins in jars of their own declare. */
class PluginVariablesTest extends PluginDirectory {
  private static final String SERVICE = "io.nitinol.spi.config.VariableCatalog";

  private PluginJar declaring(String className, String owner, String variables) {
    return jar()
        .provider(SERVICE, className)
        .source(
            className,
            """
            package p;
            import io.nitinol.spi.config.*;
            public class %s implements VariableCatalog {
              public String owner() { return "%s"; }
              public java.util.List<Variable<?>> variables() { %s }
            }
            """
                .formatted(className.substring(2), owner, variables));
  }

  private List<VariableCatalog> variables() {
    return PluginCatalog.discover(
            Environment.of(Map.of("NITINOL_PLUGIN_PATH", plugins.toString())), log)
        .variables();
  }

  @Test
  void areFoundInPlainJarsAndInModules() {
    String one = "return java.util.List.of(Variable.text(\"NCCL_%s\", \"a\", \"\", \"m\"));";
    declaring("p.Plain", "plain", one.formatted("PLAIN"))
        .plugin(PluginClass.net(6, "p.A", "A"))
        .write(plugins.resolve("a.jar"));
    declaring("p.Modular", "modular", one.formatted("MODULAR"))
        .module("net.modular")
        .plugin(PluginClass.net(6, "p.B", "B"))
        .write(plugins.resolve("b.jar"));
    List<VariableCatalog> found = variables();
    assertThat(found)
        .extracting(VariableCatalog::owner)
        .containsExactly(
            "plain from " + plugins.resolve("a.jar"), "modular from " + plugins.resolve("b.jar"));
    assertThat(found)
        .flatExtracting(VariableCatalog::variables)
        .extracting(each -> ((Variable<?>) each).name())
        .containsExactly("NCCL_PLAIN", "NCCL_MODULAR");
    assertThat(log.lines()).noneMatch(line -> line.startsWith("WARN"));
  }

  @Test
  void aBrokenTableCostsItselfAndNotThePlugin() {
    declaring("p.Plain", "plain", "throw new IllegalStateException(\"no table\");")
        .plugin(PluginClass.net(6, "p.A", "A"))
        .provider(SERVICE, "p.Missing")
        .write(plugins.resolve("a.jar"));
    assertThat(variables()).isEmpty();
    assertThat(log.lines())
        .anyMatch(l -> l.startsWith("WARN") && l.contains("a.jar") && l.contains("no table"))
        .anyMatch(l -> l.startsWith("WARN") && l.contains("a.jar") && l.contains("p.Missing"));
    assertThat(discover())
        .singleElement()
        .extracting(PluginDescription::state)
        .isEqualTo(PluginState.FOUND);
  }

  @Test
  void whatIsNoPluginDeclaresNothing() {
    declaring("p.Plain", "plain", "return java.util.List.of();").write(plugins.resolve("a.jar"));
    assertThat(variables()).isEmpty();
  }

  @Test
  void aPluginOnThePathMakesItsVariablesNoMistakes() {
    declaring(
            "p.Fabric",
            "fabric",
            "return java.util.List.of(Variable.text(\"NITINOL_TIMEOUTS\", \"a\", \"\","
                + " \"m\"));")
        .plugin(PluginClass.net(6, "p.A", "A"))
        .write(plugins.resolve("a.jar"));
    Map<String, String> set = Map.of("NITINOL_TIMEOUTS", "1", "NITINOL_TIMEUOT", "1");
    assertThat(misspelt(Environment.of(set)))
        .as("without the plugin")
        .anyMatch(sentence -> sentence.startsWith("NITINOL_TIMEOUTS is set"));
    Map<String, String> withPath = new HashMap<>(set);
    withPath.put("NITINOL_PLUGIN_PATH", plugins.toString());
    assertThat(misspelt(Environment.of(withPath)))
        .as("with the plugin: what no part declares is still told")
        .noneMatch(sentence -> sentence.startsWith("NITINOL_TIMEOUTS"))
        .anyMatch(sentence -> sentence.startsWith("NITINOL_TIMEUOT is set"));
  }

  private static List<String> misspelt(Settings settings) {
    return MisspeltNames.in(settings, MisspeltVariables.table(settings, List.of())).stream()
        .map(MisspeltNames.Found::sentence)
        .toList();
  }
}
