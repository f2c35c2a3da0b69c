// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The lines of all pages fit, and the targets of their links exist. */
class MarkdownTest {
  private static final Path ROOT =
      Path.of(System.getProperty("nitinol.root", "..")).toAbsolutePath().normalize();
  private static final int COLUMNS = 120;
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]*)(?:#([^)]*))?\\)");
  private static final Pattern NAVIGATION =
      Pattern.compile("\\b(doc|page)\\('(?:[^'\\\\]|\\\\.)*', '([^']+)'\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Pattern ANCHOR = Pattern.compile("<a (?:name|id)=\"([^\"]+)\"");

  /** Tables and headings have no second line; code is as it is; a word cannot be broken. */
  private static List<String> tooWide(String page) {
    List<String> wide = new ArrayList<>();
    boolean code = false;
    for (String line : page.split("\n", -1)) {
      code ^= line.stripLeading().startsWith("```");
      boolean wraps = !code && !line.startsWith("|") && !line.startsWith("#");
      boolean indented = line.startsWith("    ");
      if (wraps && !indented && line.length() > COLUMNS && line.strip().contains(" ")) {
        wide.add(line);
      }
    }
    return wide;
  }

  @Test
  void everyLineFits() throws IOException {
    List<Path> pages = pages();
    assertThat(pages).hasSizeGreaterThan(15);
    for (Path page : pages) {
      assertThat(tooWide(Files.readString(page)))
          .as("lines over %d of %s", COLUMNS, page)
          .isEmpty();
    }
  }

  @Test
  void aWideLineIsSeenAndCodeIsNot() {
    String wide = "a line of words ".repeat(10);
    assertThat(tooWide(wide + "\n```\n" + wide + "\n```\n| " + wide + "\n")).containsExactly(wide);
  }

  @Test
  void everyLinkLeadsSomewhere() throws IOException {
    int links = 0;
    for (Path page : pages()) {
      Matcher link = LINK.matcher(Files.readString(page));
      while (link.find()) {
        String target = link.group(1);
        if (!target.contains("://")) {
          links++;
          Path file = target.isEmpty() ? page : page.resolveSibling(target);
          assertThat(file).as("link in %s", page).exists();
          if (link.group(2) != null) {
            assertThat(anchors(file)).as("link in %s to %s", page, file).contains(link.group(2));
          }
        }
      }
    }
    assertThat(links).isGreaterThan(60);
  }

  /**
   * The site is built with the thorough tests only; its build refuses a page that is missing in the
   * navigation, and then there is none.
   */
  @Test
  void everyPageIsInTheNavigationOfTheSite() throws IOException {
    Set<String> placed = new HashSet<>();
    Matcher item =
        NAVIGATION.matcher(Files.readString(ROOT.resolve("docs/site/.vitepress/sections.mjs")));
    while (item.find()) {
      placed.add((item.group(1).equals("doc") ? "docs/" : "") + item.group(2) + ".md");
    }
    Set<String> read = new LinkedHashSet<>(List.of("README.md", "CONTRIBUTING.md", "SECURITY.md"));
    read.addAll(List.of("CHANGELOG.md", "spi/SPEC.md"));
    try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
      docs.map(file -> ROOT.relativize(file).toString())
          .filter(file -> file.endsWith(".md"))
          .forEach(read::add);
    }
    Deque<String> toRead = new ArrayDeque<>(read);
    while (!toRead.isEmpty()) {
      Path page = ROOT.resolve(toRead.remove());
      Matcher link = LINK.matcher(Files.readString(page));
      while (link.find()) {
        Path file = page.resolveSibling(link.group(1)).normalize();
        String name = file.startsWith(ROOT) ? ROOT.relativize(file).toString() : "";
        if (name.endsWith(".md") && !link.group(1).contains("://") && read.add(name)) {
          toRead.add(name);
        }
      }
    }
    read.removeIf(page -> page.startsWith("compat-tests/"));
    assertThat(read).hasSizeGreaterThan(40);
    assertThat(placed).containsAll(read);
  }

  /** Returns the anchors of a page as GitHub makes them of headings. */
  private static Set<String> anchors(Path page) throws IOException {
    String text = Files.readString(page);
    Set<String> anchors = new HashSet<>();
    Matcher heading = HEADING.matcher(text);
    while (heading.find()) {
      anchors.add(
          heading
              .group(1)
              .strip()
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N} _-]", "")
              .replace(' ', '-'));
    }
    Matcher anchor = ANCHOR.matcher(text);
    while (anchor.find()) {
      anchors.add(anchor.group(1));
    }
    return anchors;
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    for (String directory :
        List.of(
            "",
            "docs",
            "spi",
            "plugins-samples/net-plugin/src/main/resources/archetype-resources")) {
      try (Stream<Path> files = Files.list(ROOT.resolve(directory))) {
        files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
      }
    }
    return pages;
  }
}
