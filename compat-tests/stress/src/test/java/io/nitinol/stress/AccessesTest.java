// SPDX-License-Identifier: Apache-2.0
package io.nitinol.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The list of accesses is that of the sources, so that no litmus test drifts from the code. */
class AccessesTest {

  @Test
  void everyAccessStandsInTheSources() throws Exception {
    List<Access> accesses = Access.all();
    for (Access access : accesses) {
      String source = Files.readString(access.source());
      assertThat(count(source, access.is()))
          .as("times that %s is in %s", access.is(), access.source())
          .isEqualTo(access.times());
    }
    assertThat(accesses).extracting(Access::at).doesNotHaveDuplicates().hasSizeGreaterThan(70);
  }

  @Test
  void everyOrderedAccessOfTheSourcesIsListed() throws Exception {
    List<String> missing = new ArrayList<>();
    int found = 0;
    for (Path file : Sources.files()) {
      String code = Sources.code(file);
      String text = Files.readString(file);
      Matcher ordered = Sources.ORDERED.matcher(code);
      while (ordered.find()) {
        found++;
        if (!isListed(file, text, ordered.start(), ordered.end())) {
          missing.add(file.getFileName() + ": " + lineAt(text, ordered.start()));
        }
      }
    }
    assertThat(missing).as("accesses that accesses.txt does not have").isEmpty();
    assertThat(found).isGreaterThan(70);
  }

  @Test
  void theStressTestsThatAreNamedAreThere() throws Exception {
    Set<String> tests = new HashSet<>();
    try (Stream<Path> files = Files.walk(Access.HOME.resolve("src/test/java"))) {
      files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith("Stress.java"))
          .forEach(name -> tests.add(name.replace(".java", "")));
    }
    Set<String> used = new HashSet<>();
    Access.all().forEach(access -> used.addAll(access.by()));
    assertThat(tests).containsExactlyInAnyOrderElementsOf(used);
  }

  private static boolean isListed(Path file, String text, int from, int to) throws Exception {
    for (Access access : Access.all()) {
      if (file.getFileName().toString().equals(access.type() + ".java")) {
        for (int at = text.indexOf(access.is()); at >= 0; at = text.indexOf(access.is(), at + 1)) {
          if (at <= from && to <= at + access.is().length()) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static int count(String text, String part) {
    int found = 0;
    for (int at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
      found++;
    }
    return found;
  }

  private static String lineAt(String text, int at) {
    return text.substring(text.lastIndexOf('\n', at) + 1, text.indexOf('\n', at)).strip();
  }
}
