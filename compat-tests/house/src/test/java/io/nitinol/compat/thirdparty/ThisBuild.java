// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.thirdparty;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Knows the build around these tests, and runs its Maven on projects outside it. */
final class ThisBuild {
  /** The first Maven that can look into a second local repository. */
  private static final String MAVEN_WITH_TAIL = "3.9";

  private ThisBuild() {}

  /** Returns the root of the sources. */
  static Path root() {
    return Path.of(property("nitinol.root"));
  }

  /** Returns what this build has made; the test is skipped where it cannot be used. */
  static BuildArtifacts artifacts() throws IOException {
    String version = property("nitinol.maven.version");
    assumeTrue(
        atLeast(version, MAVEN_WITH_TAIL),
        () -> "needs Maven " + MAVEN_WITH_TAIL + " or newer, this build runs on " + version);
    BuildArtifacts artifacts = new BuildArtifacts(root());
    Optional<String> unfit = artifacts.unfit();
    assumeTrue(
        unfit.isEmpty(),
        () -> "needs the jars of this build, as `./mvnw verify` makes them: " + unfit.get());
    return artifacts;
  }

  /** Runs {@code mvn test} on a project, as {@link MavenRun#test} says. */
  static MavenRun test(Path project, Path repository, Duration limit, String... options)
      throws IOException, InterruptedException {
    return MavenRun.test(
        Path.of(property("nitinol.maven.home")),
        project,
        repository,
        Path.of(property("nitinol.maven.repository")),
        limit,
        options);
  }

  /** Runs Maven, which may fetch what is missing, as {@link MavenRun#run} says. */
  static MavenRun run(Path directory, Path repository, Duration limit, List<String> arguments)
      throws IOException, InterruptedException {
    return MavenRun.run(
        Path.of(property("nitinol.maven.home")),
        directory,
        repository,
        Path.of(property("nitinol.maven.repository")),
        limit,
        arguments);
  }

  private static String property(String name) {
    String value = System.getProperty(name);
    if (value == null) {
      throw new IllegalStateException("the build sets " + name + "; run these tests by Maven");
    }
    return value;
  }

  private static boolean atLeast(String version, String wanted) {
    return Runtime.Version.parse(version.replaceFirst("[^0-9.].*", ""))
            .compareTo(Runtime.Version.parse(wanted))
        >= 0;
  }
}
