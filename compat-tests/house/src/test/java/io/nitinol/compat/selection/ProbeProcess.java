// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.selection;

import io.nitinol.core.plugin.PluginCatalog;
import io.nitinol.core.plugin.jars.PluginJar;
import io.nitinol.toolkit.ErrorText;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Starts {@link SelectionProbe} in a JVM of its own. */
final class ProbeProcess {
  private static final long LIMIT_SECONDS = 240;

  /** The result of a process. */
  record Outcome(int status, String output, String errors) {}

  private final Path work;
  private final List<String> options = new ArrayList<>();
  private final Map<String, String> environment = new java.util.TreeMap<>();
  private String classPath = PluginJar.location(SelectionProbe.class).toString();

  private ProbeProcess(Path work) {
    this.work = work;
  }

  /** Nitinol as modules: the build's own, the built-in networks included. */
  static ProbeProcess modular(Path work) {
    return new ProbeProcess(work).modulePath(wholeModulePath());
  }

  /** Core and the interfaces as modules, and nothing else but {@code modules}. */
  static ProbeProcess modularWith(Path work, Path... modules) {
    List<String> path = new ArrayList<>(coreAlone());
    Stream.of(modules).map(Path::toString).forEach(path::add);
    return new ProbeProcess(work).modulePath(String.join(File.pathSeparator, path));
  }

  /** The whole of Nitinol on the class path. */
  static ProbeProcess onClassPath(Path work) {
    ProbeProcess process = new ProbeProcess(work);
    process.classPath += File.pathSeparator + wholeModulePath();
    return process;
  }

  private static String wholeModulePath() {
    String path = System.getProperty("nitinol.module.path");
    if (path == null) {
      throw new IllegalStateException(
          "the build sets nitinol.module.path; run these tests by Maven");
    }
    return path;
  }

  private static List<String> coreAlone() {
    return List.of(
        PluginJar.spi().toString(),
        PluginJar.location(ErrorText.class).toString(),
        PluginJar.location(PluginCatalog.class).toString());
  }

  private ProbeProcess modulePath(String path) {
    options.addAll(List.of("--module-path", path, "--add-modules", "ALL-MODULE-PATH"));
    return this;
  }

  /** Sets a variable of the process's environment. */
  ProbeProcess with(String variable, @Nullable Object value) {
    environment.put(variable, String.valueOf(value));
    return this;
  }

  /** Runs it to its end. */
  Outcome run() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m"));
    command.add("-Duser.home=" + work); // no ~/.nccl.conf of the user who runs the tests
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, SelectionProbe.class.getName()));
    Path out = Files.createTempFile(work, "out", ".txt");
    Path err = Files.createTempFile(work, "err", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .directory(work.toFile());
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.startsWith("NCCL_") || name.startsWith("NITINOL_"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError(
          "%s did not end within %s s; it said:\n%s%s"
              .formatted(command, LIMIT_SECONDS, Files.readString(out), Files.readString(err)));
    }
    return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
  }
}
