// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.compat.sources.SourceFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pictures of the pages say what the code says, and are those of their sources. */
class PicturesTest {
  private static final Path ROOT =
      Path.of(System.getProperty("nitinol.root", "..")).toAbsolutePath().normalize();
  private static final Path PICTURES = ROOT.resolve("docs/pictures");
  private static final Pattern EDGE = Pattern.compile("(?m)^  (\\w+) -> (\\w+)(.*)$");
  private static final Pattern LABEL = Pattern.compile("label=\"([^\"]*)\"");
  private static final Pattern NODE = Pattern.compile("(?m)^  (\\w+) \\[label=\"([\\w.]+)");
  private static final Pattern REQUIRES =
      Pattern.compile("(?m)^ *requires (?:transitive |static )*io\\.nitinol\\.([\\w.]+);");
  private static final Pattern MODULE = Pattern.compile("(?m)^module io\\.nitinol\\.([\\w.]+) ");

  private static List<MatchResult> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().toList();
  }

  private static List<Path> files(String end) throws IOException {
    try (Stream<Path> files = Files.list(PICTURES)) {
      return files.filter(file -> file.toString().endsWith(end)).sorted().toList();
    }
  }

  private static String name(Path file) {
    return file.getFileName().toString().replaceFirst("\\..*", "");
  }

  /** What modules.dot draws, with the names of modules. */
  private static Map<String, Set<String>> drawn(String source) {
    Map<String, String> names = new HashMap<>();
    found(NODE, source).forEach(node -> names.put(node.group(1), node.group(2)));
    Map<String, Set<String>> drawn = new HashMap<>();
    names.values().forEach(module -> drawn.put(module, new TreeSet<>()));
    for (MatchResult edge : found(EDGE, source)) {
      if (!edge.group(3).contains("dashed")) {
        drawn.get(names.get(edge.group(1))).add(names.get(edge.group(2)));
      }
    }
    return drawn;
  }

  /** Which modules a descriptor requires, for the modules that have one. */
  private static Map<String, Set<String>> required() throws IOException {
    Map<String, Set<String>> required = new HashMap<>();
    for (Path file :
        SourceFiles.below(ROOT, path -> path.endsWith("src/main/java/module-info.java"))) {
      String descriptor = Files.readString(file);
      for (MatchResult module : found(MODULE, descriptor)) {
        Set<String> names = new TreeSet<>();
        found(REQUIRES, descriptor).forEach(each -> names.add(each.group(1)));
        required.put(module.group(1), names);
      }
    }
    return required;
  }

  private static Set<String> reached(Map<String, Set<String>> drawn, String from) {
    Set<String> reached = new HashSet<>();
    for (String next : drawn.get(from)) {
      reached.add(next);
      reached.addAll(reached(drawn, next));
    }
    return reached;
  }

  @Test
  void thePictureOfTheModulesIsThatOfTheDescriptors() throws IOException {
    Map<String, Set<String>> drawn = drawn(Files.readString(PICTURES.resolve("modules.dot")));
    Map<String, Set<String>> required = required();
    assertThat(drawn).hasSizeGreaterThan(8);
    for (String module : drawn.keySet()) {
      assertThat(required).as("modules with a descriptor").containsKey(module);
      assertThat(required.get(module)).as("required by %s", module).containsAll(drawn.get(module));
      Set<String> shown = new TreeSet<>(required.get(module));
      shown.retainAll(drawn.keySet());
      assertThat(reached(drawn, module)).as("reached from %s", module).containsAll(shown);
    }
  }

  @Test
  void theLadderHasEachStep() throws IOException {
    String source = Files.readString(PICTURES.resolve("ladder.dot"));
    Set<String> steps = new TreeSet<>();
    found(Pattern.compile("NetV\\d+ToV\\d+"), source).forEach(step -> steps.add(step.group()));
    Set<String> adapters = new TreeSet<>();
    Path adapt = ROOT.resolve("core/src/main/java/io/nitinol/core/plugin/adapt");
    try (Stream<Path> files = Files.list(adapt)) {
      files
          .map(file -> file.getFileName().toString().replace(".java", ""))
          .filter(file -> file.matches("NetV\\d+ToV\\d+"))
          .forEach(adapters::add);
    }
    assertThat(steps).isEqualTo(adapters).hasSize(8);
  }

  @Test
  void theFramesOfTheBootstrapAreThere() throws IOException {
    String source = Files.readString(PICTURES.resolve("bootstrap.dot"));
    Path bootstrap = ROOT.resolve("core/src/main/java/io/nitinol/core/bootstrap");
    String words =
        Files.readString(bootstrap.resolve("FrameType.java"))
            + Files.readString(bootstrap.resolve("RankGreeting.java"));
    List<MatchResult> names = found(Pattern.compile("\\b[A-Z_]{4,}\\b"), source);
    assertThat(names).hasSizeGreaterThan(5);
    for (MatchResult name : names) {
      if (!name.group().equals("SPDX")) {
        assertThat(words).containsPattern("(?m)^ +" + name.group() + "[,;]?$");
      }
    }
  }

  /** The words of the source are in the picture; docs/pictures/draw --check compares all of it. */
  @Test
  void everyPictureIsThatOfItsSource() throws IOException {
    Set<String> sources = new TreeSet<>();
    for (Path source : files(".dot")) {
      sources.add(name(source));
      String picture = Files.readString(PICTURES.resolve(name(source) + ".svg"));
      for (MatchResult label : found(LABEL, Files.readString(source))) {
        for (String line : label.group(1).split("\\\\n", -1)) {
          String text = line.strip().replace("&", "&amp;").replace("'", "&#39;");
          assertThat(picture.replace("&#45;", "-").replace("&#160;", " "))
              .as("%s: docs/pictures/draw draws it anew", source)
              .contains(text);
        }
      }
    }
    for (Path source : files(".vl.json")) {
      sources.add(name(source));
      assertThat(PICTURES.resolve(name(source) + ".csv")).exists();
    }
    Set<String> pictures = new TreeSet<>();
    files(".svg").forEach(picture -> pictures.add(name(picture)));
    assertThat(pictures).isEqualTo(sources).hasSizeGreaterThan(6);
  }

  @Test
  void everyPictureStandsOnAPageWithAText() throws IOException {
    StringBuilder pages = new StringBuilder();
    try (Stream<Path> files = Files.list(ROOT.resolve("docs"))) {
      for (Path page : files.filter(file -> file.toString().endsWith(".md")).toList()) {
        pages.append(Files.readString(page));
      }
    }
    List<String> absent = new ArrayList<>();
    for (Path picture : files(".svg")) {
      String name = picture.getFileName().toString();
      if (!Pattern.compile("!\\[[^\\]]{40,}]\\(pictures/" + name + "\\)").matcher(pages).find()) {
        absent.add(name);
      }
    }
    assertThat(absent).isEmpty();
  }
}
