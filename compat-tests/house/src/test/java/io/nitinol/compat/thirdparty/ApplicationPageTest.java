// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.thirdparty;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.CommConfig;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.testing.Slow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The project with which {@code docs/application.md} begins, in an empty directory. */
@Slow
class ApplicationPageTest {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int RANKS = 3;

  /** The versions of Maven's own plugins that this build has, since it has no network here. */
  private static final String PLUGINS =
      """
          <pluginManagement>
            <plugins>
              <plugin>
                <artifactId>maven-resources-plugin</artifactId>
                <version>@maven-resources-plugin@</version>
              </plugin>
              <plugin>
                <artifactId>maven-compiler-plugin</artifactId>
                <version>@maven-compiler-plugin@</version>
              </plugin>
              <plugin>
                <artifactId>maven-surefire-plugin</artifactId>
                <version>@maven-surefire-plugin@</version>
              </plugin>
            </plugins>
          </pluginManagement>
      """;

  @TempDir Path work;

  @Test
  void theProjectOfThePageReducesOnThreeProcesses() throws Exception {
    BuildArtifacts artifacts = ThisBuild.artifacts();
    String page = Files.readString(ThisBuild.root().resolve("docs/application.md"));
    Path project = Files.createDirectories(work.resolve("project"));
    String pom = block(page, "xml");
    assertThat(pom)
        .contains("<nitinol.version>" + artifacts.version() + "</nitinol.version>")
        .contains("<version>" + artifacts.pluginVersion("maven-dependency-plugin") + "</version>")
        .containsOnlyOnce("  <build>\n");
    Files.writeString(
        project.resolve("pom.xml"),
        pom.replace("  <build>\n", "  <build>\n" + artifacts.filledIn(PLUGINS)));
    Path sources = Files.createDirectories(project.resolve("src/main/java"));
    Files.writeString(sources.resolve("Hello.java"), block(page, "java"));
    Path repository = work.resolve("repository");
    artifacts.installForApplications(repository);
    MavenRun run = ThisBuild.test(project, repository, LIMIT, "-Dstaging=" + repository.toUri());
    assertThat(run.status()).as("%s", run.output()).isZero();

    List<Process> ranks = new ArrayList<>();
    List<String> said = new ArrayList<>();
    try (UniqueId id =
        UniqueId.create(
            Settings.of(Map.of("NCCL_SOCKET_IFNAME", "lo")), CommConfig.standard().logger())) {
      for (int rank = 0; rank < RANKS; rank++) {
        ranks.add(start(project, rank, id));
      }
      for (Process each : ranks) {
        try (var lines = each.inputReader()) {
          said.addAll(lines.lines().toList());
        }
      }
    } finally {
      ranks.forEach(Process::destroyForcibly);
    }
    said.removeIf(line -> line.contains("Using incubator modules")); // the JVM's own
    assertThat(said)
        .containsExactlyInAnyOrder(
            "rank 0 of 3: the ranks add up to 3",
            "rank 1 of 3: the ranks add up to 3",
            "rank 2 of 3: the ranks add up to 3");
    assertThat(said).allMatch(page::contains, "is on the page");
  }

  private static Process start(Path project, int rank, UniqueId id) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "--add-modules=jdk.incubator.vector",
                "-cp",
                "target/classes:target/lib/*",
                "Hello")
            .directory(project.toFile())
            .redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.matches("(NCCL|NITINOL)_.*"));
    environment.put("NCCL_SOCKET_IFNAME", "lo");
    environment.put("NITINOL_RANK", Integer.toString(rank));
    environment.put("NITINOL_SIZE", Integer.toString(RANKS));
    environment.put("NITINOL_UNIQUE_ID", id.toString());
    return builder.start();
  }

  /** Returns the first block of the page in a language. */
  private static String block(String page, String language) {
    Matcher block = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(page);
    assertThat(block.find()).as("a block of %s on the page", language).isTrue();
    return block.group(1);
  }
}
