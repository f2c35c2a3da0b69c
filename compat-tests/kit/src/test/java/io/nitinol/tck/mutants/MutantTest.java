// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.mutants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.samples.memory.MemoryNet12;
import io.nitinol.spi.testing.Slow;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MutantTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir Path directory;

  /** What the mutants are made of. */
  public static final class Sum {
    private Sum() {}

    public static int of(int left, int right) {
      return left + right;
    }
  }

  @Test
  void aMutantDoesSomethingElse() throws Exception {
    Path jar = directory.resolve("sum.jar");
    String entry = Sum.class.getName().replace('.', '/') + ".class";
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream to = new JarOutputStream(file);
        InputStream in = ClassLoader.getSystemResourceAsStream(entry)) {
      assertThat(in).as(entry).isNotNull();
      to.putNextEntry(new JarEntry(entry));
      in.transferTo(to);
      to.closeEntry();
    }
    List<Mutant> mutants = Mutant.of(jar, Pattern.compile(".*Sum"));
    assertThat(mutants)
        .extracting(Mutant::name)
        .containsExactly(
            "MutantTest$Sum.of(int,int) Math 0", "MutantTest$Sum.of(int,int) PrimitiveReturns 0");
    Path changed = directory.resolve("difference.jar");
    mutants.getFirst().write(changed);
    try (URLClassLoader loader = new URLClassLoader(new URL[] {changed.toUri().toURL()}, null)) {
      Object sum =
          loader
              .loadClass(Sum.class.getName())
              .getMethod("of", int.class, int.class)
              .invoke(null, 5, 3);
      assertThat(sum).isEqualTo(2);
    }
  }

  @Test
  void aTrialEndsAtTheFirstBrokenRule() throws Exception {
    Trial trial = trial("echo '0:07 3/9  NET-SEND-04 is broken: 5 bytes'; sleep 1000");
    assertThat(trial.verdict()).isEqualTo("NET-SEND-04");
    assertThat(trial.isKilled()).isTrue();
    assertThat(trial.line()).endsWith("5 bytes");
  }

  @Test
  void aTrialThatEndsIsJudgedByItsStatus() throws Exception {
    assertThat(trial("echo conforms").verdict()).isEqualTo(Trial.SURVIVED);
    assertThat(trial("exit 6").isKilled()).as("inconclusive").isFalse();
    assertThat(trial("exit 3").isKilled()).as("cannot be loaded").isTrue();
    assertThat(trial("exit 5").verdict()).isEqualTo("exit status 5");
    assertThat(trial("kill -9 $$").isKilled()).as("ended by a signal").isFalse();
  }

  @Test
  @Slow
  void theListOfEquivalentOnesNamesMutants() throws Exception {
    List<String> names =
        Mutant.of(memory(), Pattern.compile(".*")).stream().map(Mutant::name).toList();
    assertThat(names).doesNotHaveDuplicates();
    Path list = Path.of(MutantTest.class.getResource("/equivalent.tsv").toURI());
    assertThat(names).containsAll(Mutate.equivalent(list).keySet());
  }

  @Test
  void aLineWithoutAReasonIsRefused() throws Exception {
    Path list = Files.writeString(directory.resolve("list.tsv"), "Window.end(int) Math 0\n");
    assertThatThrownBy(() -> Mutate.equivalent(list))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Window.end(int) Math 0")
        .hasMessageContaining("a reason");
  }

  private Trial trial(String script) throws Exception {
    Path program = directory.resolve("kit");
    Files.writeString(program, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return Trial.of(List.of(program.toString()), Path.of("plugin.jar"), LIMIT);
  }

  /** Under "mvn test" the plugin is a directory of classes. */
  private Path memory() throws Exception {
    Path from =
        Path.of(MemoryNet12.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isRegularFile(from)) {
      return from;
    }
    Path jar = directory.resolve("memory.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream to = new JarOutputStream(file);
        Stream<Path> all = Files.walk(from)) {
      for (Path each : all.filter(Files::isRegularFile).toList()) {
        to.putNextEntry(new JarEntry(from.relativize(each).toString()));
        Files.copy(each, to);
        to.closeEntry();
      }
    }
    return jar;
  }
}
