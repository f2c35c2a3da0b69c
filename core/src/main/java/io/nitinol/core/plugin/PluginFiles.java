// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What lies where plugins are looked for. One plugin is a jar, a directory of jars, or a directory
 * of classes (one with {@code META-INF} or {@code module-info.class} in it).
 */
final class PluginFiles {
  private static final Pattern NATIVE = Pattern.compile("(?i).*\\.(so(\\.[0-9]+)*|dylib|dll)");

  /** How deep classes are looked for below a directory without jars. */
  private static final int PACKAGE_DEPTH = 8;

  /** At so many files the search ends: the directory may be that of the whole system. */
  private static final int MOST_LOOKED_AT = 1_000;

  private PluginFiles() {}

  /** Returns whether {@code name} is a name of a native library. */
  static boolean isNative(String name) {
    return NATIVE.matcher(name).matches();
  }

  /** Returns whether {@code file} has the name of a jar. */
  static boolean isJar(Path file) {
    return fileName(file).toLowerCase(Locale.ROOT).endsWith(".jar");
  }

  /** Returns the last element of a path, for messages. */
  static String fileName(Path file) {
    Path name = file.getFileName();
    return name == null ? file.toString() : name.toString();
  }

  /** Turns what a user wrote into an absolute path. */
  static Path parse(String text) throws UnloadablePluginException {
    try {
      return Path.of(text).toAbsolutePath().normalize();
    } catch (InvalidPathException e) {
      throw new UnloadablePluginException("not a path: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the plugins that one entry of {@code NITINOL_PLUGIN_PATH} holds, and the native
   * libraries in it, sorted by name: the order does not depend on the file system.
   */
  static List<Path> plugins(Path entry) throws UnloadablePluginException {
    requireReadable(entry);
    if (!Files.isDirectory(entry) || isClasses(entry)) {
      return List.of(entry);
    }
    List<Path> plugins = new ArrayList<>();
    for (Path child : children(entry)) {
      boolean taken =
          Files.isDirectory(child)
              ? isClasses(child) || !jars(child).isEmpty()
              : isJar(child) || isNative(fileName(child));
      if (taken) {
        plugins.add(child);
      }
    }
    if (plugins.isEmpty()) {
      throw new UnloadablePluginException("holds no jar and no directory of jars" + classes(entry));
    }
    return plugins;
  }

  /** Returns the jars, or the class directory, that make up the plugin at {@code location}. */
  static List<Path> parts(Path location) throws UnloadablePluginException {
    requireReadable(location);
    if (!Files.isDirectory(location)) {
      if (!isJar(location)) {
        throw new UnloadablePluginException("neither a jar nor a directory");
      }
      return List.of(location);
    }
    if (isClasses(location)) {
      return List.of(location);
    }
    List<Path> jars = jars(location);
    if (jars.isEmpty()) {
      throw new UnloadablePluginException("holds no jar" + classes(location));
    }
    return jars;
  }

  private static void requireReadable(Path path) throws UnloadablePluginException {
    if (!Files.exists(path)) {
      throw new UnloadablePluginException("does not exist");
    }
    if (!Files.isReadable(path)) {
      throw new UnloadablePluginException("cannot be read (permissions)");
    }
  }

  private static boolean isClasses(Path directory) {
    return Files.isDirectory(directory.resolve("META-INF"))
        || Files.isRegularFile(directory.resolve("module-info.class"));
  }

  /** Says what is missing where a directory holds classes, but nothing that names the plugin. */
  private static String classes(Path directory) {
    try (Stream<Path> all = Files.walk(directory, PACKAGE_DEPTH)) {
      return all.limit(MOST_LOOKED_AT)
          .filter(file -> fileName(file).endsWith(".class"))
          .findFirst()
          .map(file -> found(directory, file))
          .orElse("");
    } catch (IOException | UncheckedIOException e) {
      return ""; // a part that cannot be read: the reason stays that there is no jar
    }
  }

  /** The class may lie in a directory of classes farther down, which is then the one to name. */
  private static String found(Path directory, Path file) {
    for (Path above = file.getParent();
        above != null && !above.equals(directory);
        above = above.getParent()) {
      if (isClasses(above)) {
        return ", but a directory of classes in it: " + directory.relativize(above);
      }
    }
    return ", but classes (%s) without a META-INF/services that names the plugin's class"
        .formatted(directory.relativize(file));
  }

  private static List<Path> jars(Path directory) throws UnloadablePluginException {
    return children(directory).stream()
        .filter(file -> isJar(file) && !Files.isDirectory(file))
        .toList();
  }

  private static List<Path> children(Path directory) throws UnloadablePluginException {
    try (Stream<Path> children = Files.list(directory)) {
      return children.filter(file -> !fileName(file).startsWith(".")).sorted().toList();
    } catch (IOException | UncheckedIOException e) {
      throw new UnloadablePluginException("cannot be read: " + PluginCall.describe(e), e);
    }
  }
}
