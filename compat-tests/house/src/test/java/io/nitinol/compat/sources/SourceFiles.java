// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.sources;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The files below a directory, without those that a build makes. Other tests may make and delete
 * files meanwhile.
 */
public final class SourceFiles {
  private static final Set<String> SKIPPED = Set.of("target", ".git", "node_modules");

  private SourceFiles() {}

  /**
   * Returns the files that {@code wanted} takes.
   *
   * @throws IOException also where the root does not exist
   */
  public static List<Path> below(Path root, Predicate<Path> wanted) throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            return !directory.equals(root)
                    && SKIPPED.contains(String.valueOf(directory.getFileName()))
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (wanted.test(file)) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException && !file.equals(root)) {
              return FileVisitResult.CONTINUE; // it was deleted since its directory was read
            }
            throw e;
          }
        });
    return files;
  }

  /** Returns whether a file is a Java source of a module, or of its tests. */
  public static boolean isJava(Path file, String part) {
    return file.toString().endsWith(".java") && file.toString().contains("/src/" + part + "/java/");
  }
}
