// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.Slow;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the build loads from a repository: pinned by checksums, and not known to be vulnerable. */
class SupplyChainTest {
  private static final Path ROOT =
      Path.of(System.getProperty("nitinol.root", "..")).toAbsolutePath().normalize();
  private static final Path PINNED = ROOT.resolve(".mvn/checksums/checksums.sha256");
  private static final Pattern ACCEPTED =
      Pattern.compile("(?m)^[^: ]+:(\\S+) (\\S+) \\S+: accepted");
  private static final String AUDIT = ROOT.resolve(".ci/Audit.java").toString();

  private static final Pattern PUBLISHED =
      Pattern.compile("<artifactId>(nitinol-[\\w-]+)</artifactId>");
  private static final Pattern PINNED_JAR =
      Pattern.compile("[0-9a-f]{64}  (.+)/([^/]+)/[^/]+/[^/]+\\.jar");

  @TempDir private Path scratch;

  @Test
  void noPinnedLibraryIsKnownToBeVulnerable() throws Exception {
    Ended audit = audit(PINNED, ROOT.resolve(".ci/advisories.tsv"));
    assertThat(audit.text()).contains(" 0 vulnerable");
    assertThat(audit.status()).as(audit.text()).isZero();
    List<String> used = libraries().stream().map(jar -> jar.getFileName().toString()).toList();
    for (Matcher accepted = ACCEPTED.matcher(audit.text()); accepted.find(); ) {
      assertThat(used)
          .as("accepted, as a plugin of Maven alone has it")
          .doesNotContain("%s-%s.jar".formatted(accepted.group(1), accepted.group(2)));
    }
  }

  @Test
  void eachLibraryOfAPublishedArtifactIsInTheList() throws Exception {
    Set<String> listed =
        Files.readAllLines(ROOT.resolve(".ci/advisories.tsv")).stream()
            .map(line -> line.split("\t", -1)[0])
            .collect(Collectors.toSet());
    Set<String> needed = new TreeSet<>(dependencies());
    assertThat(needed).as("read from the poms").contains("io.micrometer:micrometer-core");
    needed.addAll(loaded());
    needed.removeAll(listed);
    assertThat(needed)
        .as("without a line in .ci/advisories.tsv: look for advisories; there are none: 'none'")
        .isEmpty();
  }

  /** Returns the libraries that the poms of published artifacts name, tests' apart. */
  private static Set<String> dependencies() throws IOException {
    Map<String, Pom> modules = Pom.all(ROOT);
    return PUBLISHED
        .matcher(Files.readString(ROOT.resolve("bom/pom.xml")))
        .results()
        .map(match -> modules.get(match.group(1)))
        .filter(Objects::nonNull)
        .flatMap(module -> module.dependencies().stream())
        .filter(each -> !each.group().equals("io.nitinol") && !each.scope().equals("test"))
        .map(each -> each.group() + ":" + each.artifact())
        .collect(Collectors.toSet());
  }

  /** Returns what comes with them, too: the libraries that this test runs with. */
  private static Set<String> loaded() throws IOException {
    Set<String> names =
        libraries().stream().map(jar -> "/" + jar.getFileName()).collect(Collectors.toSet());
    return Files.readAllLines(PINNED).stream()
        .filter(line -> names.contains(line.substring(line.lastIndexOf('/'))))
        .map(PINNED_JAR::matcher)
        .filter(Matcher::matches)
        .map(jar -> jar.group(1).replace('/', '.') + ":" + jar.group(2))
        .filter(library -> !library.matches("(org.junit|org.assertj|net.bytebuddy|com.tngtech).*"))
        .collect(Collectors.toSet());
  }

  @Test
  void aVulnerableLibraryIsFound() throws Exception {
    Path pinned =
        Files.writeString(
            scratch.resolve("pinned"),
            "%s  tools/jackson/core/jackson-databind/3.1.3/jackson-databind-3.1.3.jar%n"
                .formatted("0".repeat(64)));
    Ended audit = audit(pinned, ROOT.resolve(".ci/advisories.tsv"));
    assertThat(audit.text()).contains("jackson-databind 3.1.3").contains("VULNERABLE below 3.1.4");
    assertThat(audit.status()).isEqualTo(1);
  }

  @Test
  void aCheckThatCannotBeMadeReportsThat() throws Exception {
    Ended audit = audit(PINNED, scratch.resolve("absent"));
    assertThat(audit.text()).contains("audit: cannot check").contains("absent");
    assertThat(audit.status()).isEqualTo(2);
  }

  @Test
  @Slow
  void theLibrariesOfThisTestArePinned() throws Exception {
    List<String> pinned = Files.readAllLines(PINNED);
    List<Path> jars = libraries();
    assertThat(jars).as("the libraries that tests run with").isNotEmpty();
    for (Path jar : jars) {
      String name = "/" + jar.getFileName();
      assertThat(pinned)
          .anyMatch(line -> line.startsWith(sha256(jar) + "  ") && line.endsWith(name));
    }
  }

  @Test
  @Slow
  void theBuildRefusesALibraryOfAnotherChecksum() throws Exception {
    List<String> changed = new ArrayList<>();
    for (String line : Files.readAllLines(PINNED)) {
      boolean change = line.endsWith("/jspecify-1.0.1.jar");
      changed.add(change ? "0".repeat(64) + line.substring(64) : line);
    }
    Files.write(scratch.resolve("checksums.sha256"), changed);
    Ended build =
        run(
            "sh",
            ROOT.resolve("mvnw").toString(),
            "-o",
            "-B",
            "-Pquick",
            "-Dmaven.test.skip",
            "-Daether.trustedChecksumsSource.summaryFile.basedir=" + scratch,
            "-f",
            ROOT.resolve("spi").toString(),
            "org.apache.maven.plugins:maven-dependency-plugin:resolve");
    assertThat(build.text()).contains("jspecify").contains("0000000000000000");
    assertThat(build.status()).isNotZero();
  }

  /** Returns the jars of others that this test runs with: those that are shipped, and JUnit's. */
  private static List<Path> libraries() {
    return Stream.of("java.class.path", "jdk.module.path")
        .flatMap(name -> Stream.of(System.getProperty(name, "").split(File.pathSeparator, -1)))
        .map(Path::of)
        .filter(jar -> jar.toString().endsWith(".jar"))
        .filter(jar -> !jar.getFileName().toString().startsWith("nitinol-"))
        .filter(jar -> !jar.getFileName().toString().startsWith("surefirebooter"))
        .distinct()
        .toList();
  }

  private record Ended(int status, String text) {}

  private static Ended audit(Path pinned, Path advisories) throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return run(java, AUDIT, pinned.toString(), advisories.toString());
  }

  private static Ended run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String text = new String(process.getInputStream().readAllBytes());
      assertThat(process.waitFor(240, TimeUnit.SECONDS)).as("ended: %s", text).isTrue();
      return new Ended(process.exitValue(), text);
    } finally {
      process.destroyForcibly();
    }
  }

  private static String sha256(Path file) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
      return HexFormat.of().formatHex(digest);
    } catch (IOException | NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
