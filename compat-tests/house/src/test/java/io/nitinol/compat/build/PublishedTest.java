// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The modules that are deployed, the bill of materials and the release page name the same. */
class PublishedTest {
  private static final Path ROOT =
      Path.of(System.getProperty("nitinol.root", "..")).toAbsolutePath().normalize();
  private static final Pattern OF_BOM =
      Pattern.compile("<artifactId>(nitinol-[a-z-]+)</artifactId>\n\\s*<version>");
  private static final Pattern OF_PAGE = Pattern.compile("`(nitinol-[a-z-]+)`");
  private static final String ARCHETYPE = "nitinol-net-plugin"; // nothing depends on it

  private static Set<String> names(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map(name -> name.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> deployed() throws IOException {
    Set<String> names = new TreeSet<>();
    for (Map.Entry<String, Pom> module : Pom.all(ROOT).entrySet()) {
      String pom = Files.readString(ROOT.resolve(module.getValue().directory()).resolve("pom.xml"));
      boolean library = !pom.contains("<packaging>pom</packaging>");
      if (library && !pom.contains("<maven.deploy.skip>true</maven.deploy.skip>")) {
        names.add(module.getKey());
      }
    }
    return names;
  }

  @Test
  void theBomHasTheVersionOfEachLibrary() throws IOException {
    Set<String> expected = deployed();
    assertThat(expected).contains("nitinol-core", ARCHETYPE);
    expected.remove(ARCHETYPE);
    Set<String> bom = names(OF_BOM, Files.readString(ROOT.resolve("bom/pom.xml")));
    bom.remove("nitinol-bom");
    assertThat(bom).isEqualTo(expected);
  }

  @Test
  void theReleasePageHasALineForEach() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/release.md"));
    Set<String> expected = deployed();
    expected.add("nitinol-bom");
    String section = page.substring(page.indexOf("\n## What is published\n"));
    assertThat(names(OF_PAGE, section)).isEqualTo(expected);
  }
}
