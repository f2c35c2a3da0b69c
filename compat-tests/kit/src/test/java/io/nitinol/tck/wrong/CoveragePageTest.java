// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.tck.spec.Spec;
import io.nitinol.tck.spec.SpecRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The page that counts, for each rule, the wrong plugins of the kill table that break it. {@link
 * KillTest} shows that the kit names exactly those rules. {@code -Dcoverage.write=true} writes the
 * page anew.
 */
class CoveragePageTest {
  private static final Path PAGE =
      Path.of(System.getProperty("nitinol.root", "../.."), "compat-tests/kit/coverage.md");

  @Test
  void thePageHasTheFiguresOfTheKillTable() throws IOException {
    String page = page();
    if (Boolean.getBoolean("coverage.write")) {
      Files.writeString(PAGE, page);
    }
    assertThat(PAGE).as("-Dcoverage.write=true writes it anew").hasContent(page);
  }

  private static String page() {
    int none = 0;
    List<String> rows = new ArrayList<>();
    int alone = 0;
    for (SpecRule rule : Spec.current().rules()) {
      if (!rule.isTestable()) {
        continue;
      }
      long only = count(rule.id(), true, true);
      long first = count(rule.id(), true, false);
      long also = count(rule.id(), false, false);
      alone += (int) only;
      if (first + also == 0) {
        none++;
      }
      rows.add("| %s | %d | %d | %d |".formatted(rule.id(), only, first - only, also));
    }
    return """
    <!-- SPDX-License-Identifier: Apache-2.0 -->
    # What the kit's wrong plugins cover

    The kit is tested by %d wrong plugins. Each breaks one rule by its mistake, and perhaps others as a consequence. The
    kill table (`KillTest`) checks that the kit names those rules and no other. %d of the plugins are found by one rule
    alone: without its tests the kit would miss them.

    `CoveragePageTest` makes this page from the plugins. No wrong plugin breaks %d of the %d rules that the kit tests:
    their rows have 0 in each column.

    | rule | wrong plugins that it alone finds | that it finds with others | that break it as a consequence |
    |---|---|---|---|
    %s
    """
        .formatted(WrongPlugins.all().size(), alone, none, rows.size(), String.join("\n", rows));
  }

  private static long count(String rule, boolean itsOwn, boolean withoutOthers) {
    return WrongPlugins.all().stream()
        .map(wrong -> wrong.getAnnotation(Breaks.class))
        .filter(mistake ->
            itsOwn ? mistake.value().equals(rule) : List.of(mistake.also()).contains(rule))
        .filter(mistake -> !withoutOthers || mistake.also().length == 0)
        .count();
  }
}
