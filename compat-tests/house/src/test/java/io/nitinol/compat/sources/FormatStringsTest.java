// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.sources;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every format string of the main sources has as many arguments as it names. Most are texts of
 * errors, which no other test may ever make.
 */
class FormatStringsTest {
  private static final Path ROOT = Path.of(System.getProperty("nitinol.root", ".."));
  private static final Set<String> SKIPPED =
      Set.of("target", "node_modules", "test", ".git", "archetype-resources");
  private static final int FEWEST_FILES = 1_000;
  private static final int FEWEST_TEXTS = 300;

  @Test
  void everyFormatHasItsArguments() throws IOException {
    List<Path> files = mainSources();
    assertThat(files).hasSizeGreaterThan(FEWEST_FILES);
    try (StandardJavaFileManager manager =
        ToolProvider.getSystemJavaCompiler().getStandardFileManager(null, null, null)) {
      FormatCalls calls = FormatCalls.in(manager.getJavaFileObjectsFromPaths(files));
      assertThat(calls.texts()).isGreaterThan(FEWEST_TEXTS);
      assertThat(calls.mistakes()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ErrorText.of(\"rank %d of %s\", rank)",
        "ErrorText.of(\"rank %d\", rank, size)",
        "ErrorText.of(\"100 % of %d\", rank)",
        "ErrorText.of(\"rank\" + \" %d\")",
        "ErrorText.of(late ? \"%s is late\" : \"late\", rank)",
        "ErrorText.of(text)",
        "io.nitinol.toolkit.ErrorText.of(\"%s\")",
        "\"%s and %s\".formatted(rank)",
        "String.format(\"%s\", rank, size)",
        "String.format(Locale.ROOT, \"%s\")",
        "out.printf(\"%s%n\", rank, size)",
        "session.check(late, \"%s\")",
        "session.require(\"NET-CONN-01\", late, \"late\", rank)",
      })
  void aMistakeIsNoticed(String call) throws IOException {
    assertThat(FormatCalls.in(List.of(source(call))).mistakes()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"warn(\"%s\", rank, size)", "warn(\"%s\")"})
  void aMistakeInACallOfAMethodThatHandsOnIsNoticed(String call) throws IOException {
    String forwarder = "; void warn(String format, Object... all) { ErrorText.of(format, all); }";
    assertThat(FormatCalls.in(List.of(source(call + forwarder))).mistakes()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ErrorText.of(\"rank %d of %s\", rank, size)",
        "ErrorText.of(\"100 %% of %1$d, %1$d\", rank)",
        "ErrorText.of(late ? \"%s is late\" : \"%s came\", rank)",
        "\"%s%n\".formatted(rank)",
        "String.format(format, rank)",
        "List.of(\"%d\")",
      })
  void whatIsRightIsLeftAlone(String call) throws IOException {
    assertThat(FormatCalls.in(List.of(source(call))).mistakes()).isEmpty();
  }

  private static JavaFileObject source(String call) {
    return new SimpleJavaFileObject(
        URI.create("string:///Example.java"), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return "class Example { Object text = %s; }".formatted(call);
      }
    };
  }

  private static List<Path> mainSources() throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            return SKIPPED.contains(directory.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().contains("/src/main/java/") && file.toString().endsWith(".java")) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }
}
