// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * An archive of the classes that the command loads, as {@code ./nitinol} makes one: the JVMs that
 * tests start map it, and so do the ranks and inner processes that those start. Loading takes more
 * than a third of the processor time of such a JVM, and the tests start hundreds of them.
 *
 * <p>The first test JVM that needs it makes it, for all of this build. A JVM that cannot use it
 * loads its classes as ever.
 */
enum CommandArchive {
  /** The classes of two ranks, of the launcher and of the search for plugins. */
  JOB("perf", "all_reduce", "-n", "2", "--threads", "-b", "8", "-e", "64K", "-f", "8", "-w", "1"),

  /** The same for a JVM with the class path of the tests. */
  RANK("perf", "all_reduce", "-n", "2", "--threads", "-b", "8", "-e", "64K", "-f", "8", "-w", "1"),

  /** Those of the kit. Its peers get the options of the process that starts them. */
  KIT("tck", "socket", "--in-process", "--no-processes", "--rule", "NET-CONN-09,NET-SEND-01");

  private static final Path TARGET =
      Path.of(System.getProperty("nitinol.root", ".."), "compat-tests/house/target")
          .toAbsolutePath()
          .normalize();

  private static final String NAME = "command-";

  /** What the name of an archive has behind it that could not be made. */
  static final String FAILED = ".failed";

  /** The option by which a JVM uses an archive. */
  static final String USE = "-XX:SharedArchiveFile=";

  /** An idle machine needs three seconds. */
  private static final long LIMIT_SECONDS = 120;

  private final List<String> arguments;

  /** Guarded by this. */
  private List<String> options = List.of();

  /** Guarded by this. */
  private boolean sought;

  CommandArchive(String... arguments) {
    this.arguments = List.of(arguments);
  }

  /** Returns the archive for a command line of {@code nitinol}, which runs as a module. */
  static CommandArchive of(List<String> arguments) {
    return !arguments.isEmpty() && arguments.getFirst().equals("tck") ? KIT : JOB;
  }

  /**
   * Returns the options with which a JVM uses the archive; none where there cannot be one.
   *
   * @param java the launcher that the JVM is started by
   * @param path its module path or class path, of jars; that of the JVM may go on with others
   * @param jvm its other options
   */
  synchronized List<String> options(Path java, String path, List<String> jvm) throws IOException {
    if (!sought) {
      sought = true;
      if (canBeOf(path)) {
        Path file = file(path);
        if (isThere(file, java, jvm)) {
          options = List.of(USE + file, "-Xlog:cds*=off,aot*=off");
        }
      }
    }
    return options;
  }

  /** Under "mvn test" the path has directories, of which a JVM makes no archive. */
  static boolean canBeOf(String path) {
    return Stream.of(path.split(File.pathSeparator, -1))
        .allMatch(each -> Files.isRegularFile(Path.of(each)));
  }

  /**
   * Returns where the archive of these jars is. A JVM takes an archive of jars that were moved, and
   * then cannot load classes from the new place, so their places are in the name too.
   */
  private Path file(String path) throws IOException {
    List<Object> jars = new ArrayList<>(List.of(Runtime.version()));
    for (String each : path.split(File.pathSeparator, -1)) {
      Path jar = Path.of(each);
      jars.addAll(List.of(each, Files.size(jar), Files.getLastModifiedTime(jar).toMillis()));
    }
    return TARGET.resolve("%s%s-%08x.jsa".formatted(NAME, name(), jars.hashCode()));
  }

  /**
   * Returns whether the archive is there, after making it where it is not. A build in which that
   * has failed once does not try again: each of its test JVMs would wait for another failure.
   *
   * @param file the archive
   */
  boolean isThere(Path file, Path java, List<String> jvm) throws IOException {
    Path failed = file.resolveSibling(file.getFileName() + FAILED);
    try (FileChannel channel =
            FileChannel.open(
                TARGET.resolve(NAME + name() + ".lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      if (Files.exists(file)) {
        return true;
      }
      if (Files.exists(failed)) {
        return false;
      }
      boolean made = make(file, java, jvm);
      if (!made) {
        Files.createFile(failed);
      }
      return made;
    }
  }

  private boolean make(Path file, Path java, List<String> jvm) throws IOException {
    Path made = Files.createTempFile(TARGET, NAME, ".new");
    Path costs = Files.createTempFile(TARGET, NAME, ".costs");
    Path log = TARGET.resolve(NAME + name() + ".log");
    List<String> command = new ArrayList<>(List.of(java.toString()));
    command.add("-XX:ArchiveClassesAtExit=" + made);
    command.add("-Xlog:cds*=off,aot*=off");
    command.add("-Dnitinol.contained=never"); // or the inner process would load the classes
    command.addAll(jvm);
    command.addAll(arguments);
    Files.delete(made); // the JVM makes it
    Files.delete(costs);
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
      Map<String, String> environment = builder.environment();
      environment.keySet().removeIf(CommandProcess::isOfALauncher);
      environment.put("NCCL_SOCKET_IFNAME", "lo");
      environment.put("NCCL_P2P_DISABLE", "1"); // the ranks map files as those of processes do
      environment.put("NITINOL_COST_CACHE", costs.toString());
      if (!run(builder) || !Files.exists(made)) {
        System.err.printf("no archive of the command's classes: %s tells why%n", log);
        return false;
      }
      deleteOlder();
      Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + file + " was made", e);
    } finally {
      Files.deleteIfExists(made);
      Files.deleteIfExists(costs);
    }
  }

  /** Returns whether it ends with success in time. However this ends, no process is left. */
  static boolean run(ProcessBuilder builder) throws IOException, InterruptedException {
    Process process = builder.start();
    try {
      return process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
    } finally {
      process.destroyForcibly();
    }
  }

  /** Deletes the archives of jars that have been built anew. A JVM that has one keeps its pages. */
  private void deleteOlder() throws IOException {
    try (DirectoryStream<Path> older =
        Files.newDirectoryStream(TARGET, NAME + name() + "-*.jsa*")) {
      for (Path each : older) {
        Files.deleteIfExists(each);
      }
    }
  }
}
