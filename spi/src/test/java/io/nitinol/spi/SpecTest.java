// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** SPEC.md as the kit reads it: numbered rules of one form, referred to by numbers that exist. */
class SpecTest {
  private static final Path SPEC = Path.of("SPEC.md"); // Maven starts us in spi/
  private static final String ID = "(?:SEL|SET|COLL|NET|DEV[A-Z]*)(?:-[A-Z]+\\d{0,2})*-\\d\\d";
  private static final Pattern RULE =
      Pattern.compile(
          "- \\*\\*("
              + ID
              + ")\\*\\* \\((caller|plugin|framework)\\)"
              + " \\[(kit|untestable: [^\\]]+)\\] [A-Za-z`].*\\.");
  private static final Pattern REFERENCE =
      Pattern.compile("\\b(" + ID + "|(?:NET|COLL)-[A-Z0-9]+-|DEV[A-Z]*-)\\b\\*?");

  @Test
  void everyRuleHasANumberOfItsOwnABoundPartyAndAMark() throws IOException {
    List<String> ids = new ArrayList<>();
    for (String item : items()) {
      assertThat(item).matches(RULE);
      ids.add(id(item));
    }
    assertThat(ids).doesNotHaveDuplicates().hasSizeGreaterThan(150);
  }

  @Test
  void numbersRunWithoutGaps() throws IOException {
    String previous = "";
    for (String id : rules()) {
      String family = id.substring(0, id.length() - 2);
      int number = Integer.parseInt(id.substring(id.length() - 2));
      boolean next =
          previous.startsWith(family)
              && number == Integer.parseInt(previous.substring(previous.length() - 2)) + 1;
      assertThat(next || number == 1).as("%s follows %s", id, previous).isTrue();
      previous = id;
    }
  }

  @Test
  void referencesInTextAndJavadocAreToRulesThatExist() throws IOException {
    Set<String> rules = new TreeSet<>(rules());
    List<Path> files = new ArrayList<>(List.of(SPEC));
    try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
      sources.filter(p -> p.toString().endsWith(".java")).forEach(files::add);
    }
    int references = 0;
    for (Path file : files) {
      Matcher m = REFERENCE.matcher(Files.readString(file));
      while (m.find()) {
        String prefix = m.group(1);
        assertThat(rules).as("%s in %s", m.group(), file).anyMatch(r -> r.startsWith(prefix));
        references++;
      }
    }
    assertThat(references).isGreaterThan(rules.size() + 50);
  }

  @Test
  void noLineOfTextIsWiderThanAScreen() throws IOException {
    assertThat(Files.readAllLines(SPEC))
        .filteredOn(line -> !line.startsWith("|"))
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(120));
  }

  private static List<String> rules() throws IOException {
    return items().stream().map(SpecTest::id).toList();
  }

  /** Returns the items of lists, each as one line, although the page is wrapped. */
  private static List<String> items() throws IOException {
    String joined = Files.readString(SPEC).replaceAll("\\R {2}(?=\\S)", " ");
    return joined.lines().filter(line -> line.startsWith("- ")).toList();
  }

  private static String id(String line) {
    return line.substring(line.indexOf("**") + 2, line.indexOf("**", 4));
  }
}
