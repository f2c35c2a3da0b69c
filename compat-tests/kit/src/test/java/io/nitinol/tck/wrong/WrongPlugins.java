// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The wrong plugins of this package: its classes with the annotation {@link Breaks}. */
final class WrongPlugins {
  private WrongPlugins() {}

  /** Returns all wrong plugins, in the order of their names. */
  static List<Class<?>> all() {
    try (Stream<Path> files = Files.list(directory())) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".class"))
          .sorted()
          .<Class<?>>map(name -> ofName(name.substring(0, name.length() - ".class".length())))
          .filter(type -> type.isAnnotationPresent(Breaks.class))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns a class of this package.
   *
   * @param name its binary name without the package
   */
  static Class<?> ofName(String name) {
    try {
      return Class.forName(
          "%s.%s".formatted(WrongPlugins.class.getPackageName(), name),
          false,
          WrongPlugins.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Path directory() {
    try {
      return Path.of(WrongPlugins.class.getProtectionDomain().getCodeSource().getLocation().toURI())
          .resolve(WrongPlugins.class.getPackageName().replace('.', '/'));
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
