// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import io.nitinol.spi.testing.Thorough;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A JVM with the class path of these tests, which maps the classes of the jars from {@link
 * CommandArchive#RANK}: that saves more than a quarter of the processor time of a short rank. The
 * directories come last on its class path, since an archive is of jars with which the path begins.
 */
public final class ClassPathJvm {
  /** A rank lives for seconds, in which what C2 compiles costs more than it gains. */
  private static final List<String> COMPILER =
      Thorough.ON ? List.of() : List.of("-XX:TieredStopAtLevel=1");

  private ClassPathJvm() {}

  /**
   * Returns the beginning of a command line, before the main class.
   *
   * @param heap the greatest heap, such as 128m
   * @param further directories of classes, the last of the class path
   */
  public static List<String> command(String heap, Path... further) throws IOException {
    List<String> jars = new ArrayList<>();
    List<String> directories = new ArrayList<>();
    for (String each : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      (Files.isRegularFile(Path.of(each)) ? jars : directories).add(each);
    }
    for (Path each : further) {
      directories.add(each.toString());
    }
    List<String> options =
        List.of("-XX:+UseSerialGC", "-Xmx" + heap, "--enable-native-access=ALL-UNNAMED", "-cp");
    List<String> command = new ArrayList<>();
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    command.add(java.toString());
    command.addAll(COMPILER);
    command.addAll(archive(java, jars, options));
    command.addAll(options);
    List<String> all = new ArrayList<>(jars);
    all.addAll(directories);
    command.add(String.join(File.pathSeparator, all));
    return command;
  }

  private static List<String> archive(Path java, List<String> jars, List<String> options)
      throws IOException {
    // Under "mvn test" the modules are directories, and the path has no class that could be run.
    if (jars.stream().noneMatch(each -> each.contains("nitinol-cli"))) {
      return List.of();
    }
    String path = String.join(File.pathSeparator, jars);
    List<String> jvm = new ArrayList<>(options);
    jvm.addAll(List.of(path, "io.nitinol.cli.Main"));
    return CommandArchive.RANK.options(java, path, jvm);
  }
}
