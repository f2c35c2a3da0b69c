// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceFilesTest {
  @TempDir private Path root;

  private Path file(String name) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.createFile(file);
  }

  @Test
  void whatABuildMakesIsNoSource() throws IOException {
    Path main = file("a/src/main/java/x/Main.java");
    Path test = file("a/src/test/java/x/MainTest.java");
    for (String made : List.of("target/b", "a/target", ".git", "docs/site/node_modules/c")) {
      file(made + "/src/main/java/x/Main.java");
    }
    assertThat(SourceFiles.below(root, _ -> true)).containsExactlyInAnyOrder(main, test);
    assertThat(SourceFiles.below(root, file -> SourceFiles.isJava(file, "main")))
        .containsExactly(main);
    assertThat(SourceFiles.below(root, file -> SourceFiles.isJava(file, "test")))
        .containsExactly(test);
  }

  @Test
  void aFileThatVanishesMeanwhileIsPassedOver() throws IOException {
    Path one = file("one");
    Path other = file("other");
    assertThat(SourceFiles.below(root, found -> delete(found.equals(one) ? other : one)))
        .hasSize(1);
  }

  private static boolean delete(Path file) {
    try {
      return Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aRootThatIsNotThereIsAnError() {
    assertThatThrownBy(() -> SourceFiles.below(root.resolve("none"), _ -> true))
        .isInstanceOf(NoSuchFileException.class);
  }
}
