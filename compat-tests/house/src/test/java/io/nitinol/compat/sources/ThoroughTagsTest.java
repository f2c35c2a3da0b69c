// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.sources;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The profile thorough selects by a tag. A test that asks whether it runs there and does not have
 * the tag would never do its part, and no test would fail.
 */
class ThoroughTagsTest {
  private static final Path ROOT = Path.of(System.getProperty("nitinol.root", ".."));

  @Test
  void everyTestWithAThoroughPartHasTheTag() throws IOException {
    List<String> without = new ArrayList<>();
    int tagged = 0;
    for (Path file : SourceFiles.below(ROOT, path -> SourceFiles.isJava(path, "test"))) {
      String source = Files.readString(file);
      boolean marked =
          source.contains("@Thorough")
              || source.contains("@QuickRows")
              || source.contains("@Tag(Thorough.TAG)");
      tagged += marked ? 1 : 0;
      boolean asks = source.contains("Thorough.ON");
      if (file.toString().endsWith("Test.java") && asks && !marked) {
        without.add(ROOT.relativize(file).toString());
      }
    }
    assertThat(without).as("tests with a thorough part and no tag").isEmpty();
    assertThat(tagged).as("tests that the profile thorough selects").isGreaterThan(15);
  }
}
