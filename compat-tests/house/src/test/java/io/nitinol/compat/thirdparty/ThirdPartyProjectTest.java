// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.thirdparty;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.Slow;
import io.nitinol.spi.testing.Thorough;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A plugin author's project, of one class and one dependency, runs the kit that this build made.
 * {@code SocketConformanceTest} has every rule on the same plugin, so this project takes some;
 * {@code -Pthorough} takes all.
 */
@Tag(Thorough.TAG)
@Timeout(420)
@Slow
class ThirdPartyProjectTest {
  private static final Duration LIMIT = Duration.ofMinutes(6);

  /** The rules that the right plugin is held against; all of them where empty. */
  private static final String RULES =
      Thorough.ON ? "" : "NET-DEV-01,NET-CONN-01,NET-CONN-04,NET-SEND-01,NET-RECV-01,NET-CLOSE-04";

  private final Path sources =
      ThisBuild.root().resolve("compat-tests/house/src/test/resources/third-party");

  @TempDir Path work;
  private BuildArtifacts artifacts;

  @BeforeEach
  void canRun() throws IOException {
    artifacts = ThisBuild.artifacts();
  }

  @Test
  void aRightPluginPasses() throws Exception {
    Path reports = work.resolve("reports");
    MavenRun run =
        run(
            "right",
            "-Dplugin.jar=" + artifacts.jar("net-socket", "nitinol-net-socket"),
            "-Dnitinol.tck.rules=" + RULES,
            "-Dnitinol.tck.report=" + reports);
    assertThat(run.status()).as("%s", run.output()).isZero();
    assertThat(run.tally().get(0)).as("tests run: %s", run.output()).isPositive();
    assertThat(run.tally().subList(1, 3)).as("failures, errors: %s", run.output()).containsOnly(0);
    assertThat(reports).isDirectoryContaining("glob:**/tck-Socket.html");
  }

  @Test
  void aWrongPluginFailsWithTheRuleThatItBreaks() throws Exception {
    MavenRun run = run("wrong");
    assertThat(run.status()).as("%s", run.output()).isEqualTo(1);
    assertThat(run.output())
        .contains("There are test failures")
        .contains("NET-CONN-01: listen on device 0 returned null")
        .contains("The rule: `listen` returns a listener at once, never null");
    assertThat(run.tally().get(1)).as("failures: %s", run.output()).isPositive();
  }

  private MavenRun run(String which, String... options) throws Exception {
    Path project = Files.createDirectory(work.resolve("project"));
    write(project.resolve("pom.xml"), sources.resolve("pom.xml"));
    try (Stream<Path> classes = Files.list(sources.resolve(which))) {
      Path only = classes.reduce((a, b) -> tooMany()).orElseThrow();
      Path place = Files.createDirectories(project.resolve("src/test/java/com/example"));
      Files.copy(only, place.resolve(only.getFileName()));
    }
    Path repository = work.resolve("repository");
    artifacts.install(repository);
    return ThisBuild.test(project, repository, LIMIT, options);
  }

  private static Path tooMany() {
    throw new IllegalStateException("a project of one class has more");
  }

  /** Fills in the versions, which are those of this build. */
  private void write(Path pom, Path template) throws IOException {
    String text = artifacts.filledIn(Files.readString(template));
    assertThat(text.split("<dependency>", -1)).as("one dependency").hasSize(2);
    Files.writeString(pom, text);
  }
}
