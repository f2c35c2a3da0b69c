// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The comparison of two builds, by which a release shows that it can be built again. */
class ReproducedTest {
  private static final Path PROGRAM =
      Path.of(System.getProperty("nitinol.root", "..")).resolve(".ci/Reproduced.java");
  private static final LocalDateTime TIME = LocalDateTime.of(2026, 11, 1, 0, 0);

  @TempDir private Path scratch;

  private record Ended(int status, String text) {}

  private Ended compare() throws IOException, InterruptedException {
    return run(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        PROGRAM.toAbsolutePath().toString(),
        scratch.resolve("first").toString(),
        scratch.resolve("second").toString());
  }

  /** Runs a command in the scratch folder. */
  private Ended run(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).directory(scratch.toFile()).redirectErrorStream(true).start();
    try {
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(240, TimeUnit.SECONDS)).as("ended: %s", text).isTrue();
      return new Ended(process.exitValue(), text);
    } finally {
      process.destroyForcibly();
    }
  }

  /** Writes a jar of a module; entries are a name and a content in turn. */
  private void jar(String path, LocalDateTime time, String... entries) throws IOException {
    Path file = scratch.resolve(path);
    Files.createDirectories(file.getParent());
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (int i = 0; i < entries.length; i += 2) {
        ZipEntry entry = new ZipEntry(entries[i]);
        entry.setTimeLocal(time);
        zip.putNextEntry(entry);
        zip.write(entries[i + 1].getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
      }
    }
  }

  @Test
  void buildsOfTheSameBytesAreTheSameWhateverLiesBeside() throws Exception {
    for (String build : new String[] {"first", "second"}) {
      jar(build + "/core/target/core.jar", TIME, "A.class", "a", "B.class", "b");
      jar(build + "/core/target/classes/" + build + ".jar", TIME, "C.class", build);
      jar(build + "/core/src/main/target/" + build + ".jar", TIME, "D.class", build);
      Files.writeString(scratch.resolve(build + "/core/target/bom.json"), "{}");
    }
    Ended ended = compare();
    assertThat(ended.text()).contains("2 of 2 files are the same").contains("0 differ");
    assertThat(ended.status()).as(ended.text()).isZero();
  }

  @Test
  void whatDiffersIsNamed() throws Exception {
    jar("first/a/target/bytes.jar", TIME, "A.class", "one", "B.class", "b");
    jar("second/a/target/bytes.jar", TIME, "A.class", "two", "B.class", "b");
    jar("first/a/target/entries.jar", TIME, "A.class", "a");
    jar("second/a/target/entries.jar", TIME, "A.class", "a", "New.class", "n");
    jar("first/a/target/order.jar", TIME, "A.class", "a", "B.class", "b");
    jar("second/a/target/order.jar", TIME, "B.class", "b", "A.class", "a");
    jar("first/b/target/time.jar", TIME, "A.class", "a");
    jar("second/b/target/time.jar", TIME.plusDays(1), "A.class", "a");
    jar("second/b/target/once.jar", TIME, "A.class", "a");
    Files.writeString(scratch.resolve("first/b/target/bom.json"), "{\"at\":1}");
    Files.writeString(scratch.resolve("second/b/target/bom.json"), "{\"at\":2}");
    Ended ended = compare();
    assertThat(ended.text().lines())
        .containsExactly(
            "a/target/bytes.jar: A.class has other bytes",
            "a/target/entries.jar: New.class is only in the second",
            "a/target/order.jar: the same entries in another order",
            "b/target/bom.json: other bytes from byte 6 on",
            "b/target/once.jar: only in " + scratch.resolve("second"),
            "b/target/time.jar: A.class has another time",
            "reproduced: 0 of 6 files are the same, 0 bytes; 6 differ");
    assertThat(ended.status()).isEqualTo(1);
  }

  @Test
  void aRelativeFolderIsTheCallers() throws Exception {
    String folder = "pom.xml/there"; // in the repository, where that is a file, nothing is built
    Files.createDirectories(scratch.resolve(folder));
    Ended ended =
        run("sh", PROGRAM.resolveSibling("reproduce").toAbsolutePath().toString(), folder);
    assertThat(ended.text())
        .isEqualTo(
            "reproduce: %s exists; name a folder that does not\n"
                .formatted(scratch.toRealPath().resolve(folder)));
    assertThat(ended.status()).isEqualTo(2);
  }

  @Test
  void buildsThatMadeNothingAreNotTheSame() throws Exception {
    Files.createDirectories(scratch.resolve("first"));
    Files.createDirectories(scratch.resolve("second/core/target"));
    Ended ended = compare();
    assertThat(ended.text()).contains("reproduced: cannot compare").contains("has a jar");
    assertThat(ended.status()).isEqualTo(2);
  }
}
