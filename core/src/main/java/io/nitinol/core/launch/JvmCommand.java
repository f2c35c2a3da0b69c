// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.launch;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How to start a further JVM like this one: the same program, options, module path and class path,
 * with another main class. Whether this JVM runs modules, a run-time image, a class path or a jar
 * does not matter. Immutable.
 *
 * <p>The options are those of this process's command line, from {@code /proc}; variables such as
 * {@code JDK_JAVA_OPTIONS} and {@code CLASSPATH} reach the new JVM through the environment, if it
 * gets that of this one. Where there is no {@code /proc}, the system properties and the boot layer
 * tell the module path, class path, modules and native access, and other options are not known. A
 * debugger's options are left out: two JVMs cannot listen at one port.
 */
public final class JvmCommand {
  private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

  private static final List<String> AGENTS = List.of("-javaagent:", "-agentlib:", "-agentpath:");

  private final Path java;
  private final List<String> options;

  private JvmCommand(Path java, List<String> options) {
    this.java = java;
    this.options = List.copyOf(options);
  }

  /**
   * Returns the command of this process.
   *
   * @throws IllegalStateException when the JVM's home has no {@code bin/java}, as in some images;
   *     the message names it
   */
  public static JvmCommand ofThisProcess() {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    if (!Files.isExecutable(java)) {
      throw new IllegalStateException(
          java + " is not there, so that no further JVM can be started like this one");
    }
    return new JvmCommand(java, options(commandLine()));
  }

  /**
   * Returns the same command with more options for the JVM, which win over the ones it has; a
   * garbage collector among them replaces its own, since a JVM refuses to have two.
   */
  public JvmCommand with(List<String> more) {
    List<String> all = new ArrayList<>(options);
    if (more.stream().anyMatch(JvmCommand::choosesCollector)) {
      all.removeIf(JvmCommand::choosesCollector);
    }
    all.addAll(more);
    return new JvmCommand(java, all);
  }

  /** Returns the same command without agents, such as those that measure coverage. */
  public JvmCommand withoutAgents() {
    return new JvmCommand(
        java,
        options.stream().filter(option -> AGENTS.stream().noneMatch(option::startsWith)).toList());
  }

  private static boolean choosesCollector(String option) {
    return option.startsWith("-XX:+Use") && option.endsWith("GC");
  }

  /**
   * Returns the command line that runs {@code main}.
   *
   * @param main a class with a main method, which the boot layer or the class path of this JVM has
   * @param arguments what the main method gets
   * @throws IllegalArgumentException when the class is in a layer that the new JVM will not have
   */
  public List<String> run(Class<?> main, List<String> arguments) {
    return run(main.getModule(), main.getName(), arguments);
  }

  /**
   * Returns the command line that runs the class {@code main} of {@code module}.
   *
   * @param module the class's module; any unnamed module for the class path
   * @param main the name of a class with a main method
   * @param arguments what the main method gets
   * @throws IllegalArgumentException when the module is in a layer that the new JVM will not have
   */
  public List<String> run(Module module, String main, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(java.toString());
    command.addAll(options);
    if (module.isNamed()) {
      if (module.getLayer() != ModuleLayer.boot()) {
        throw new IllegalArgumentException(
            main + ": " + module + " is not in the boot layer, which is all that a new JVM has");
      }
      command.add("--module");
      command.add(module.getName() + "/" + main);
    } else {
      command.add(main);
    }
    command.addAll(arguments);
    return command;
  }

  /** Returns the words of this process's command line, or null where it cannot be read. */
  private static @Nullable String commandLine() {
    try {
      // ProcessHandle.info() stops at 4096 bytes, which a module path can exceed.
      return Files.readString(
          COMMAND_LINE, Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8")));
    } catch (IOException | IllegalArgumentException e) {
      return null; // not Linux, or hidden: the boot layer knows enough to go on
    }
  }

  /**
   * Returns the options for a new JVM.
   *
   * @param commandLine the words of this process's command line, each ended by a zero; or null
   */
  static List<String> options(@Nullable String commandLine) {
    List<String> given =
        commandLine == null
            ? null
            : LauncherOptions.parse(
                List.of(commandLine.split("\0", -1)), Path.of("").toAbsolutePath());
    List<String> options = new ArrayList<>(given == null ? bootLayerOptions() : given);
    if (!LauncherOptions.has(options, LauncherOptions.MODULE_PATH)) {
      add(options, "--module-path", System.getProperty("jdk.module.path", ""));
    }
    if (!LauncherOptions.has(options, LauncherOptions.CLASS_PATH)) {
      add(options, "--class-path", System.getProperty("java.class.path", ""));
    }
    // The main module was a root of the module graph, and the new one may not lead to as much.
    add(options, "--add-modules", System.getProperty("jdk.module.main", ""));
    return options;
  }

  private static void add(List<String> options, String option, String value) {
    if (!value.isEmpty()) {
      options.add(option);
      options.add(value);
    }
  }

  private static List<String> bootLayerOptions() {
    List<String> options = new ArrayList<>();
    List<String> own = new ArrayList<>();
    List<String> nativeAccess = new ArrayList<>();
    if (ClassLoader.getSystemClassLoader().getUnnamedModule().isNativeAccessEnabled()) {
      nativeAccess.add("ALL-UNNAMED");
    }
    for (Module module : ModuleLayer.boot().modules()) {
      boolean jdk = module.getName().startsWith("java.") || module.getName().startsWith("jdk.");
      if (!jdk) {
        own.add(module.getName());
        if (module.isNativeAccessEnabled()) {
          nativeAccess.add(module.getName());
        }
      }
    }
    add(options, "--add-modules", String.join(",", own));
    add(options, "--enable-native-access", String.join(",", nativeAccess));
    return options;
  }
}
