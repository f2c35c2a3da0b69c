// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A module of this build: its sources, its descriptor and its compiled classes.
 *
 * @param directory where it lies below the root
 * @param descriptor its compiled module descriptor
 * @param classes its classes, module-info left out
 */
record ModuleClasses(String directory, ModuleDescriptor descriptor, JavaClasses classes) {

  /** Directories with sources that are not modules of this build, each with the reason. */
  private static final Map<String, String> LEFT_OUT =
      Map.of("bench", "measured, not shipped, and not compiled before these tests");

  /** Reads every module below the root that has sources. */
  static List<ModuleClasses> all() {
    String root = System.getProperty("nitinol.root");
    if (root == null) {
      throw new IllegalStateException("the build sets nitinol.root; run these tests by Maven");
    }
    List<ModuleClasses> modules = new ArrayList<>();
    List<Path> found = directories(Path.of(root));
    found.removeIf(module -> LEFT_OUT.containsKey(Path.of(root).relativize(module).toString()));
    for (Path module : found) {
      modules.add(read(Path.of(root), module));
    }
    return modules;
  }

  private static List<Path> directories(Path root) {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> children = Files.list(root)) {
      for (Path child : children.filter(Files::isDirectory).sorted().toList()) {
        if (Files.exists(child.resolve("src/main/java/module-info.java"))) {
          found.add(child);
        } else if (Files.exists(child.resolve("pom.xml"))) {
          found.addAll(directories(child));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  private static ModuleClasses read(Path root, Path module) {
    Path classes = module.resolve("target/classes");
    try (InputStream in = Files.newInputStream(classes.resolve("module-info.class"))) {
      ModuleDescriptor descriptor = ModuleDescriptor.read(in);
      JavaClasses imported =
          new ClassFileImporter()
              .withImportOption(location -> !location.contains("module-info"))
              .importPath(classes);
      return new ModuleClasses(root.relativize(module).toString(), descriptor, imported);
    } catch (IOException e) {
      throw new UncheckedIOException(module + " is not compiled", e);
    }
  }

  /** Returns the module's name, which is also the first part of the names of its packages. */
  String name() {
    return descriptor.name();
  }

  /** Returns the top-level classes that the sources declare by their file names. */
  List<String> sourceClasses() {
    Path sources = Path.of(System.getProperty("nitinol.root"), directory, "src/main/java");
    try (Stream<Path> files = Files.walk(sources)) {
      return files
          .map(file -> sources.relativize(file).toString())
          .filter(file -> file.endsWith(".java") && !file.equals("module-info.java"))
          .map(file -> file.substring(0, file.length() - ".java".length()).replace('/', '.'))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return directory;
  }
}
