// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.thirdparty;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Copies the artifacts that this build publishes into a directory, laid out as {@code mvn install}
 * would do it.
 */
final class BuildArtifacts {

  /**
   * The artifacts that a dependency on nitinol-tck-junit brings, parents included, by directory.
   */
  private static final Map<String, String> KIT = new LinkedHashMap<>();

  static {
    KIT.put("", "nitinol-parent");
    KIT.put("spi", "nitinol-spi");
    KIT.put("toolkit", "nitinol-toolkit");
    KIT.put("core", "nitinol-core");
    KIT.put("compat-tests", "nitinol-compat-tests");
    KIT.put("compat-tests/kit", "nitinol-tck");
    KIT.put("compat-tests/kit-junit", "nitinol-tck-junit");
  }

  /** The directory of the archetype. */
  static final String ARCHETYPE = "plugins-samples/net-plugin";

  private final Path root;
  private final String rootPom;
  private final String version;

  BuildArtifacts(Path root) throws IOException {
    this.root = root;
    rootPom = Files.readString(root.resolve("pom.xml"));
    version = first("<artifactId>nitinol-parent</artifactId>\\s*<version>([^<]+)</version>");
  }

  /** Returns the version of everything that this build publishes. */
  String version() {
    return version;
  }

  /** Returns the version of a Maven plugin that this build uses, and therefore has at hand. */
  String pluginVersion(String artifactId) {
    return first("<artifactId>" + artifactId + "</artifactId>\\s*<version>([^<]+)</version>");
  }

  /** Returns a pom.xml whose blanks, {@code @name@}, are filled with this build's versions. */
  String filledIn(String pom) {
    return Pattern.compile("@([a-z-]+)@")
        .matcher(pom)
        .replaceAll(
            blank -> blank.group(1).equals("nitinol") ? version() : pluginVersion(blank.group(1)));
  }

  private String first(String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(rootPom);
    if (!matcher.find()) {
      throw new IllegalStateException("the root pom.xml has nothing like " + pattern);
    }
    return matcher.group(1);
  }

  /**
   * Returns why these artifacts cannot be used: a build that does not package leaves no jars, or
   * old ones. Empty where they are fit.
   */
  Optional<String> unfit() throws IOException {
    for (Map.Entry<String, String> artifact : KIT.entrySet()) {
      Path classes = root.resolve(artifact.getKey()).resolve("target/classes");
      if (!Files.exists(root.resolve(artifact.getKey()).resolve("src/main/java"))) {
        continue; // a parent, which is a pom.xml alone
      }
      Path jar = jar(artifact.getKey(), artifact.getValue());
      if (!Files.isRegularFile(jar)) {
        return Optional.of("there is no " + jar);
      }
      if (newest(classes).compareTo(Files.getLastModifiedTime(jar)) > 0) {
        return Optional.of(jar + " is older than its classes");
      }
    }
    return Optional.empty();
  }

  private static FileTime newest(Path classes) throws IOException {
    FileTime newest = FileTime.fromMillis(0);
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        FileTime time = Files.getLastModifiedTime(file);
        newest = time.compareTo(newest) > 0 ? time : newest;
      }
    }
    return newest;
  }

  /** Returns the jar of a module, which may not be built. */
  Path jar(String directory, String artifactId) {
    return root.resolve(directory).resolve("target").resolve(artifactId + "-" + version + ".jar");
  }

  /** Copies the kit and all that it needs of this build into a Maven repository. */
  void install(Path repository) throws IOException {
    install(repository, KIT);
  }

  /** Copies the archetype and its parent into a Maven repository that has the kit. */
  void installArchetype(Path repository) throws IOException {
    install(
        repository,
        Map.of("plugins-samples", "nitinol-plugins-samples", ARCHETYPE, "nitinol-net-plugin"));
  }

  private void install(Path repository, Map<String, String> artifacts) throws IOException {
    for (Map.Entry<String, String> artifact : artifacts.entrySet()) {
      String name = artifact.getValue() + "-" + version;
      Path place = repository.resolve("io/nitinol").resolve(artifact.getValue()).resolve(version);
      Files.createDirectories(place);
      Files.copy(root.resolve(artifact.getKey()).resolve("pom.xml"), place.resolve(name + ".pom"));
      Path jar = jar(artifact.getKey(), artifact.getValue());
      if (Files.exists(jar)) {
        Files.copy(jar, place.resolve(name + ".jar"));
      }
    }
  }
}
