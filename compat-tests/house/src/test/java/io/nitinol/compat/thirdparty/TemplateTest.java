// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.thirdparty;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The first minute of a plugin author: the template, copied out of the repository and built as it
 * is, compiles, fails the kit, and says in few lines what to write first.
 */
class TemplateTest {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** The most lines that an author still reads: an early version printed 4,400 here. */
  private static final int MOST_LINES = 250;

  private static final Pattern PLUGIN =
      Pattern.compile("<artifactId>(maven-[a-z]+-plugin)</artifactId>\\s*<version>([^<]+)<");

  private final Path template = ThisBuild.root().resolve("plugins-samples/template");

  @TempDir Path work;

  @Test
  void itsPomNamesWhatThisBuildHasFetched() throws IOException {
    BuildArtifacts artifacts = new BuildArtifacts(ThisBuild.root());
    String pom = Files.readString(template.resolve("pom.xml"));
    assertThat(pom)
        .contains("<nitinol.version>" + artifacts.version() + "</nitinol.version>")
        .contains("maven-resources-plugin", "maven-compiler-plugin", "maven-surefire-plugin");
    Matcher plugins = PLUGIN.matcher(pom);
    while (plugins.find()) {
      assertThat(plugins.group(2))
          .as(plugins.group(1))
          .isEqualTo(artifacts.pluginVersion(plugins.group(1)));
    }
  }

  @Test
  void itCompilesAndFailsWithWhatToWriteFirst() throws Exception {
    BuildArtifacts artifacts = ThisBuild.artifacts();
    Path project = work.resolve("project");
    copy(template, project);
    Path repository = work.resolve("repository");
    artifacts.install(repository);
    MavenRun run = ThisBuild.test(project, repository, LIMIT);
    assertThat(run.status()).as("%s", run.output()).isEqualTo(1);
    assertThat(run.output())
        .contains("There are test failures")
        .containsPattern("NET-CONN-01: listen .*listen is yours to write")
        .contains("The rule: `listen` returns a listener at once, never null")
        .contains("repair first: NET-CONN-01")
        .containsPattern("kept: .*SEL-01.*NET-DEV-")
        .doesNotContain("\tat ", "restricted method");
    assertThat(run.output().lines().count()).as("lines of %s", run.output()).isLessThan(MOST_LINES);
    List<Integer> tally = run.tally();
    assertThat(tally.get(1)).as("failures").isBetween(2, 20);
    assertThat(tally.get(2)).as("errors").isZero();
    assertThat(tally.get(3)).as("skipped, most as blocked").isGreaterThan(100);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(file -> !file.startsWith(from.resolve("target"))).toList()) {
        Files.copy(file, to.resolve(from.relativize(file)));
      }
    }
  }
}
