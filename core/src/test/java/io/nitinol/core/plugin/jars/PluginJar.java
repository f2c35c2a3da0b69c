// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin.jars;

import io.nitinol.spi.NetException;
import io.nitinol.toolkit.Addresses;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Compiles plugin classes and packs them into a jar: a plain one with service files, or a module.
 */
public final class PluginJar {
  private final Path work;
  private final Map<String, String> sources = new LinkedHashMap<>();
  private final Map<String, List<String>> services = new TreeMap<>();
  private final List<String> requires = new ArrayList<>();
  private final List<Path> libraries = new ArrayList<>();
  private @Nullable String module;
  private boolean serviceFiles = true;

  /**
   * Starts a jar.
   *
   * @param work a directory for sources and classes, of this jar alone
   */
  public PluginJar(Path work) {
    this.work = work;
  }

  /** Adds a plugin class, and names it as a provider. */
  public PluginJar plugin(PluginClass plugin) {
    provider(plugin.service(), plugin.className());
    return source(plugin.className(), plugin.source());
  }

  /** Adds a class. */
  public PluginJar source(String className, String source) {
    sources.put(className, source);
    return this;
  }

  /** Names a provider, whether or not there is such a class. */
  public PluginJar provider(String service, String className) {
    services.computeIfAbsent(service, s -> new ArrayList<>()).add(className);
    return this;
  }

  /** Makes the jar a module; its services are in the descriptor and not in service files. */
  public PluginJar module(String name, String... required) {
    module = name;
    serviceFiles = false;
    requires.addAll(List.of(required));
    return this;
  }

  /** Adds something to compile against. */
  public PluginJar library(Path path) {
    libraries.add(path);
    return this;
  }

  /** Compiles the classes and returns their directory, service files included. */
  public Path classes() {
    try {
      compile();
      writeServiceFiles();
      return work.resolve("classes");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Compiles the classes and writes the jar. */
  public Path write(Path jar) {
    Path classes = classes();
    try {
      Files.createDirectories(jar.toAbsolutePath().getParent());
      try (OutputStream out = Files.newOutputStream(jar);
          JarOutputStream entries = new JarOutputStream(out);
          Stream<Path> files = Files.walk(classes)) {
        for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
          entries.putNextEntry(new JarEntry(classes.relativize(file).toString()));
          Files.copy(file, entries);
          entries.closeEntry();
        }
      }
      return jar;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void compile() throws IOException {
    Path classes = Files.createDirectories(work.resolve("classes"));
    List<String> files = new ArrayList<>();
    for (Map.Entry<String, String> source : sources.entrySet()) {
      files.add(writeSource(source.getKey().replace('.', '/') + ".java", source.getValue()));
    }
    if (module != null) {
      files.add(writeSource("module-info.java", descriptor(module)));
    }
    if (files.isEmpty()) {
      return;
    }
    String path =
        Stream.concat(Stream.of(spi(), location(NullMarked.class)), libraries.stream())
            .map(Path::toString)
            .collect(Collectors.joining(":"));
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-proc:none",
                "-nowarn",
                "-d",
                classes.toString(),
                module == null ? "-cp" : "-p",
                path));
    arguments.addAll(files);
    StringWriter messages = new StringWriter();
    PrintWriter log = new PrintWriter(messages);
    int status =
        ToolProvider.findFirst("javac")
            .orElseThrow(() -> new IllegalStateException("no javac: these tests need a JDK"))
            .run(log, log, arguments.toArray(String[]::new));
    if (status != 0) {
      throw new IllegalStateException("javac " + arguments + ":\n" + messages);
    }
  }

  private String writeSource(String name, String source) throws IOException {
    Path file = work.resolve("src").resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, source).toString();
  }

  private String descriptor(String name) {
    StringBuilder text = new StringBuilder("module " + name + " {\n");
    new TreeSet<>(requires).forEach(r -> text.append("  requires " + r + ";\n"));
    if (!requires.contains("io.nitinol.spi")) {
      text.append("  requires io.nitinol.spi;\n");
    }
    services.forEach((service, classes) ->
        text.append("  provides " + service + " with " + String.join(", ", classes) + ";\n"));
    return text.append("}\n").toString();
  }

  private void writeServiceFiles() throws IOException {
    if (!serviceFiles) {
      return;
    }
    Path directory = Files.createDirectories(work.resolve("classes/META-INF/services"));
    for (Map.Entry<String, List<String>> service : services.entrySet()) {
      Files.write(directory.resolve(service.getKey()), service.getValue());
    }
  }

  /** Returns the jar or class directory of the plugin interfaces. */
  public static Path spi() {
    return location(NetException.class);
  }

  /** Returns the jar or class directory of what plugins and core share. */
  public static Path toolkit() {
    return location(Addresses.class);
  }

  /** Returns the jar or class directory that a class is from. */
  public static Path location(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (java.net.URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
