// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import io.nitinol.spi.config.VariableCatalog;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class VariableTableTest {
  private static final Variable<Integer> COUNT =
      Variable.integer("NITINOL_TEST_COUNT", 0, 9, 3, "How many | tests.");

  private record Catalog(String owner, List<Variable<?>> variables) implements VariableCatalog {}

  @Test
  void coreComesFirstAndThenNames() {
    VariableTable table =
        new VariableTable(
            List.of(new Catalog("b", List.of()), new CoreVariables(), new Catalog("a", List.of())));
    assertThat(table.catalogs().stream().map(VariableCatalog::owner))
        .containsExactly("core", "a", "b");
  }

  @Test
  void secretIsNotShown() {
    for (Variable<?> secret : List.of(CoreVariables.COMM_SECRET, LaunchVariables.UNIQUE_ID)) {
      Settings set = Settings.of(Map.of(secret.name(), "swordfish"));
      assertThat(VariableTable.value(secret, set)).isEqualTo("(hidden)");
      assertThat(VariableTable.value(secret, Settings.of(Map.of()))).isEmpty();
    }
  }

  @Test
  void markdownHasOneRowEach() {
    VariableTable table = new VariableTable(List.of(new Catalog("test", List.of(COUNT))));
    assertThat(table.markdown())
        .contains(
            "| `NITINOL_TEST_COUNT` | a whole number from 0 to 9 | `3` | How many \\| tests. |");
  }

  @Test
  void coreIsInstalledAndDeclaresEachVariableOnce() {
    Set<String> names = new HashSet<>();
    for (Variable<?> each : new CoreVariables().variables()) {
      assertThat(names.add(each.name())).as("%s is declared twice", each).isTrue();
      assertThat(each.name()).matches("(NCCL|NITINOL)_[A-Z0-9_]+");
      assertThat(each.meaning()).endsWith(".");
    }
    assertThat(VariableTable.installed().catalogs().stream().map(VariableCatalog::owner))
        .contains("core");
  }
}
