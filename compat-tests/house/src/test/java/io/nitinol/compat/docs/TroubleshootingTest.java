// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.compat.sources.SourceFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each message of {@code docs/troubleshooting.md} is one that the code has. */
class TroubleshootingTest {
  private static final Path ROOT =
      Path.of(System.getProperty("nitinol.root", "..")).toAbsolutePath().normalize();
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\|");
  private static final Pattern VALUE = Pattern.compile("…|%[\\d$]*[sdx]|\\$\\{?\\w+}?");

  /** Returns the text of all files that have messages, with string literals joined. */
  private static List<String> sources() throws IOException {
    List<String> sources = new ArrayList<>();
    sources.add(joined(Files.readString(ROOT.resolve(".mvn/find-jdk.sh"))));
    for (Path file : SourceFiles.below(ROOT, path -> SourceFiles.isJava(path, "main"))) {
      sources.add(joined(Files.readString(file)));
    }
    return sources;
  }

  /** Joins what stands on several lines, and puts the sign of the page where a value comes in. */
  private static String joined(String source) {
    String literals = source.replaceAll("\"\\s*\\+\\s*\"", "");
    String values = literals.replaceAll("\"\\s*\\+[^\";]{1,80}\\+\\s*\"", "…");
    return VALUE.matcher(values).replaceAll("…");
  }

  /** Says whether one source has all the parts of a message, in their order. */
  private static boolean known(String message, List<String> sources) {
    StringBuilder expression = new StringBuilder();
    for (String part : message.split("…", -1)) {
      if (!expression.isEmpty()) {
        expression.append("[^\"]*");
      }
      expression.append(Pattern.quote(part));
    }
    Pattern pattern = Pattern.compile(expression.toString());
    return sources.stream().anyMatch(source -> pattern.matcher(source).find());
  }

  @Test
  void everyMessageIsInTheCode() throws IOException {
    List<String> sources = sources();
    assertThat(sources).hasSizeGreaterThan(500);
    Matcher row = ROW.matcher(Files.readString(ROOT.resolve("docs/troubleshooting.md")));
    List<String> unknown = new ArrayList<>();
    int rows = 0;
    for (; row.find(); rows++) {
      assertThat(row.group(1).replace("…", "").length()).as(row.group(1)).isGreaterThan(10);
      if (!known(row.group(1), sources)) {
        unknown.add(row.group(1));
      }
    }
    assertThat(unknown).as("messages of the page that no source has").isEmpty();
    assertThat(rows).isGreaterThan(40);
  }

  @Test
  void aMessageThatIsNotThereIsSeen() {
    List<String> sources = List.of(joined("of(\"rank %d is \"\n    + \"gone for %s ms\", 1)"));
    assertThat(known("rank … is gone for … ms", sources)).isTrue();
    assertThat(known("is gone for", sources)).isTrue();
    assertThat(known("rank … is lost", sources)).isFalse();
    assertThat(known("for … is gone", sources)).isFalse();
  }
}
