// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.thirdparty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.compat.cli.CommandProcess;
import io.nitinol.spi.testing.Slow;
import io.nitinol.spi.testing.Thorough;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The first minute of a plugin author: the project that the archetype gives compiles, is found,
 * fails the kit, and says in few lines what to write first.
 */
@Tag(Thorough.TAG)
class ArchetypeTest {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** The most lines that an author still reads: an early version printed 4,400 here. */
  private static final int MOST_LINES = 250;

  private static final Pattern PLUGIN =
      Pattern.compile("<artifactId>(maven-[a-z]+-plugin)</artifactId>\\s*<version>([^<]+)<");

  /** Not among what this build fetches: only a vendor's Maven needs it. */
  private static final String GENERATE =
      "org.apache.maven.plugins:maven-archetype-plugin:3.4.1:generate";

  /** Velocity's lines in the pom: what is between them is of a project in Kotlin. */
  private static final Pattern KOTLIN_ONLY =
      Pattern.compile("(?s)#if\\(\\$language == \"kotlin\"\\)\n.*?#end\n");

  private static final Map<String, String> VALUES =
      Map.of(
          "${groupId}", "com.example",
          "${artifactId}", "fast-net",
          "${version}", "1.0-SNAPSHOT",
          "${package}", "com.example.fast",
          "${pluginName}", "FastNet");

  private final Path resources =
      ThisBuild.root().resolve(BuildArtifacts.ARCHETYPE).resolve("src/main/resources");
  private final Path template = resources.resolve("archetype-resources");

  @TempDir Path work;

  @Test
  void itsPomNamesWhatThisBuildHasFetched() throws IOException {
    BuildArtifacts artifacts = new BuildArtifacts(ThisBuild.root());
    String pom = Files.readString(template.resolve("pom.xml"));
    assertThat(Files.readString(resources.resolve("META-INF/maven/archetype-metadata.xml")))
        .contains("<defaultValue>" + artifacts.version() + "</defaultValue>");
    pom = KOTLIN_ONLY.matcher(pom).replaceAll("");
    assertThat(pom)
        .contains("maven-resources-plugin", "maven-compiler-plugin", "maven-surefire-plugin");
    Matcher plugins = PLUGIN.matcher(pom);
    while (plugins.find()) {
      assertThat(plugins.group(2))
          .as(plugins.group(1))
          .isEqualTo(artifacts.pluginVersion(plugins.group(1)));
    }
  }

  /** Without Maven's plugin for archetypes, which would have to be fetched. */
  @Test
  @Slow
  void theProjectCompilesAndFailsWithWhatToWriteFirst() throws Exception {
    BuildArtifacts artifacts = ThisBuild.artifacts();
    Path project = work.resolve("project");
    fillIn(project, artifacts.version());
    Path repository = work.resolve("repository");
    artifacts.install(repository);
    assertSaysWhatToWriteFirst(ThisBuild.test(project, repository, LIMIT));
  }

  private static void assertSaysWhatToWriteFirst(MavenRun run) {
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

  /** Writes the project in Java as the archetype's plugin does. */
  private void fillIn(Path project, String version) throws IOException {
    try (Stream<Path> files = Files.walk(template)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = template.relativize(file).toString();
        if (name.contains("kotlin") || name.startsWith(".github")) {
          continue;
        }
        String text = KOTLIN_ONLY.matcher(Files.readString(file)).replaceAll("");
        text = text.replace("${nitinolVersion}", version);
        for (Map.Entry<String, String> value : VALUES.entrySet()) {
          text = text.replace(value.getKey(), value.getValue());
        }
        Path place =
            project.resolve(name.replace("java/__pluginName__", "java/com/example/fast/FastNet"));
        Files.createDirectories(place.getParent());
        Files.writeString(place, text);
      }
    }
  }

  /**
   * As a vendor does it, with what Maven fetches for that: in no build without {@code Thorough}.
   */
  @Thorough
  @Timeout(900)
  @ParameterizedTest
  @CsvSource({"java", "kotlin"})
  void itIsGeneratedBuiltFoundAndHeldAgainstTheContract(String language) throws Exception {
    BuildArtifacts artifacts = ThisBuild.artifacts();
    Path repository = work.resolve("repository");
    artifacts.install(repository);
    artifacts.installArchetype(repository);
    MavenRun generated =
        ThisBuild.run(
            work,
            repository,
            LIMIT,
            List.of(
                GENERATE,
                "-DarchetypeGroupId=io.nitinol",
                "-DarchetypeArtifactId=nitinol-net-plugin",
                "-DarchetypeVersion=" + artifacts.version(),
                "-DarchetypeCatalog=local",
                "-DinteractiveMode=false",
                "-DgroupId=com.example",
                "-DartifactId=fast-net",
                "-Dversion=1.0-SNAPSHOT",
                "-Dpackage=com.example.fast",
                "-DpluginName=FastNet",
                "-Dlanguage=" + language));
    assumeTrue(
        generated.status() == 0
            || !generated.output().contains("maven-archetype-plugin:3.4.1 or one of its dep"),
        "needs a Maven repository that has " + GENERATE);
    assertThat(generated.status()).as("%s", generated.output()).isZero();
    Path project = work.resolve("fast-net");
    assertThat(project.resolve(".github/workflows/build.yml"))
        .content()
        .contains("${{ vars.NITINOL_REPOSITORY }}", "nitinol tck");
    assertThat(project.resolve("src/main/" + language + "/com/example/fast")).isDirectory();
    assertThat(project.resolve("src/main/" + (language.equals("java") ? "kotlin" : "java")))
        .doesNotExist();
    MavenRun built = ThisBuild.run(project, repository, LIMIT, quietly("package", "-DskipTests"));
    assertThat(built.status()).as("%s", built.output()).isZero();
    String jar = project.resolve("target/fast-net-1.0-SNAPSHOT.jar").toString();
    try (CommandProcess plugins =
        CommandProcess.start(Map.of("NITINOL_PLUGIN_PATH", jar), "plugins")) {
      assertThat(plugins.exit()).as("%s", plugins).isZero();
      assertThat(plugins.out()).containsPattern("FastNet +v6 +v6 \\(as v12\\) +chosen +device0");
    }
    try (CommandProcess tck = CommandProcess.start("tck", jar, "--quick")) {
      assertThat(tck.exit()).as("%s", tck).isEqualTo(1);
      assertThat(tck.out())
          .contains("NET-CONN-01 is broken")
          .contains("FastNet BREAKS the contract");
    }
    assertSaysWhatToWriteFirst(ThisBuild.run(project, repository, LIMIT, quietly("test")));
  }

  /** Kotlin's compiler would otherwise leave a process behind for two hours. */
  private static List<String> quietly(String... goals) {
    return Stream.concat(Stream.of("-Dkotlin.compiler.daemon=false"), Stream.of(goals)).toList();
  }
}
