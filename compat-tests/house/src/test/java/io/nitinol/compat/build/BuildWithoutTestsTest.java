// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The command and the benchmarks are built from a checkout without tests, by Maven with {@code -am}
 * and {@code maven.test.skip}: no other test builds that way.
 */
class BuildWithoutTestsTest {
  private static final Path ROOT = Path.of(System.getProperty("nitinol.root", ".."));
  private static final Pattern MODULES = Pattern.compile("(?m)^modules=(\\S+)$");
  private static final Pattern LOOKED_AT = Pattern.compile("(?m)^ *for module in (.*); do$");

  private Map<String, Pom> poms;

  @BeforeEach
  void readPoms() throws IOException {
    poms = Pom.all(ROOT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"nitinol", "bench/src/main/sh/ranks.sh"})
  void nothingThatItNeedsIsAJarOfTests(String script) throws IOException {
    TreeSet<String> built = needs(first(MODULES, script).split(","), scope -> true);
    assertThat(built).contains("nitinol-spi", "nitinol-net-socket");
    List<String> jarsOfTests =
        built.stream()
            .flatMap(module ->
                poms.get(module).dependencies().stream()
                    .filter(each -> each.type().equals("test-jar"))
                    .map(each -> poms.get(module).directory() + " -> " + each.artifact()))
            .toList();
    assertThat(jarsOfTests)
        .as("no such jar is made: these belong in a profile <name>!maven.test.skip</name>")
        .isEmpty();
  }

  @Test
  void theScriptLooksAtTheSourcesOfAllThatTheCommandIsMadeOf() throws IOException {
    TreeSet<String> parts =
        needs(first(MODULES, "nitinol").split(","), scope -> !scope.equals("test"));
    assertThat(first(LOOKED_AT, "nitinol").split(" "))
        .containsAll(
            parts.stream().map(each -> poms.get(each).directory()).collect(Collectors.toSet()));
  }

  private static String first(Pattern pattern, String script) throws IOException {
    Matcher found = pattern.matcher(Files.readString(ROOT.resolve(script)));
    assertThat(found.find()).as("%s in %s", pattern, script).isTrue();
    return found.group(1);
  }

  /** Returns what is built for modules, they included: Maven's {@code -am}. */
  private TreeSet<String> needs(String[] directories, Predicate<String> scopes) {
    TreeSet<String> needed = new TreeSet<>();
    Deque<String> open = new ArrayDeque<>();
    List<String> wanted = Arrays.asList(directories);
    poms.forEach((artifact, pom) -> {
      if (wanted.contains(pom.directory())) {
        open.add(artifact);
      }
    });
    assertThat(open).hasSameSizeAs(wanted);
    while (!open.isEmpty()) {
      String next = open.remove();
      Pom pom = poms.get(next);
      if (pom == null || !needed.add(next)) {
        continue; // not of this build, or seen before
      }
      for (Pom.Dependency each : pom.dependencies()) {
        if (scopes.test(each.scope())) {
          open.add(each.artifact());
        }
      }
    }
    return needed;
  }
}
