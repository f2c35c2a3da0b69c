// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.compat.sources.SourceFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page of trust names tests that are there, one at least for whatever stops an attacker. */
class TrustPageTest {
  private static final Path ROOT =
      Path.of(System.getProperty("nitinol.root", "..")).toAbsolutePath().normalize();
  private static final Pattern TEST = Pattern.compile("`([\\w.]*(?:Test|Target))`");
  private static final String NO_TEST = "none";

  @Test
  void everyTestThatThePageNamesIsThere() throws IOException {
    List<String> sources = testSources();
    Matcher test = TEST.matcher(page());
    int count = 0;
    while (test.find()) {
      String file = "/" + test.group(1).replace('.', '/') + ".java";
      assertThat(sources).as(test.group(1)).anyMatch(source -> source.endsWith(file));
      count++;
    }
    assertThat(count).isGreaterThan(40);
  }

  @Test
  void everyRowOfTheThreatModelHasATestOrStopsNobody() throws IOException {
    String page = page();
    String model = page.substring(page.indexOf("## Threat model"));
    List<String> rows =
        model.lines().dropWhile(line -> !line.startsWith("|---")).skip(1).toList().stream()
            .takeWhile(line -> line.startsWith("|"))
            .toList();
    assertThat(rows).hasSizeGreaterThan(10);
    for (String row : rows) {
      String[] cells = row.split("\\|");
      assertThat(cells).as(row).hasSize(5);
      if (cells[4].strip().equals(NO_TEST)) {
        assertThat(cells[3]).as(row).startsWith(" nothing");
      } else {
        assertThat(TEST.matcher(cells[4]).find()).as(row).isTrue();
      }
    }
  }

  private static String page() throws IOException {
    return Files.readString(ROOT.resolve("docs/trust.md"));
  }

  /** Returns the paths of all sources of tests, without what was built. */
  private static List<String> testSources() throws IOException {
    return SourceFiles.below(ROOT, file -> SourceFiles.isJava(file, "test")).stream()
        .map(Path::toString)
        .toList();
  }
}
