// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.thirdparty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A plugin author's project, of one class and one dependency, runs the kit that this build made.
 */
@Timeout(420)
class ThirdPartyProjectTest {
  private static final Duration LIMIT = Duration.ofMinutes(6);

  /** The first Maven that can look into a second local repository. */
  private static final String MAVEN_WITH_TAIL = "3.9";

  private static final Pattern TALLY =
      Pattern.compile("Tests run: (\\d+), Failures: (\\d+), Errors: (\\d+), Skipped: (\\d+)$");

  private final Path sources =
      Path.of(property("nitinol.root"), "compat-tests/house/src/test/resources/third-party");

  @TempDir Path work;
  private BuildArtifacts artifacts;

  @BeforeEach
  void canRun() throws IOException {
    String version = property("nitinol.maven.version");
    assumeTrue(
        atLeast(version, MAVEN_WITH_TAIL),
        () -> "needs Maven " + MAVEN_WITH_TAIL + " or newer, this build runs on " + version);
    artifacts = new BuildArtifacts(Path.of(property("nitinol.root")));
    Optional<String> unfit = artifacts.unfit();
    assumeTrue(
        unfit.isEmpty(),
        () -> "needs the jars of this build, as `./mvnw verify` makes them: " + unfit.get());
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

  @Test
  void aRightPluginPasses() throws Exception {
    Path reports = work.resolve("reports");
    MavenRun run =
        run(
            "right",
            "-Dplugin.jar=" + artifacts.jar("net-socket", "nitinol-net-socket"),
            "-Dnitinol.tck.report=" + reports);
    assertThat(run.status()).as("%s", run.output()).isZero();
    assertThat(tally(run).get(0)).as("tests run: %s", run.output()).isPositive();
    assertThat(tally(run).subList(1, 3)).as("failures, errors: %s", run.output()).containsOnly(0);
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
    assertThat(tally(run).get(1)).as("failures: %s", run.output()).isPositive();
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
    return MavenRun.test(
        Path.of(property("nitinol.maven.home")),
        project,
        repository,
        Path.of(property("nitinol.maven.repository")),
        LIMIT,
        options);
  }

  private static Path tooMany() {
    throw new IllegalStateException("a project of one class has more");
  }

  /** Fills in the versions, which are those of this build. */
  private void write(Path pom, Path template) throws IOException {
    Matcher blanks = Pattern.compile("@([a-z-]+)@").matcher(Files.readString(template));
    String text =
        blanks.replaceAll(blank ->
            blank.group(1).equals("nitinol")
                ? artifacts.version()
                : artifacts.pluginVersion(blank.group(1)));
    assertThat(text.split("<dependency>", -1)).as("one dependency").hasSize(2);
    Files.writeString(pom, text);
  }

  /** Returns tests run, failures, errors, skipped, as Maven sums them up in its last such line. */
  private static List<Integer> tally(MavenRun run) {
    List<Integer> last = List.of();
    for (String line : run.output().lines().toList()) {
      Matcher matcher = TALLY.matcher(line);
      if (matcher.find()) {
        last = Stream.of(1, 2, 3, 4).map(matcher::group).map(Integer::parseInt).toList();
      }
    }
    assertThat(last).as("a line that sums up the tests in %s", run.output()).isNotEmpty();
    return last;
  }
}
