// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a command line of the {@code java} launcher as far as the options of the JVM go: up to the
 * main class, with the words of argument files in their place.
 */
final class LauncherOptions {
  static final Set<String> MODULE_PATH = Set.of("-p", "--module-path");
  static final Set<String> CLASS_PATH = Set.of("-cp", "-classpath", "--class-path");

  /** Options whose value may be the next word. */
  private static final Set<String> WITH_VALUE =
      Set.of(
          "-p",
          "--module-path",
          "-cp",
          "-classpath",
          "--class-path",
          "--upgrade-module-path",
          "--add-modules",
          "--add-exports",
          "--add-opens",
          "--add-reads",
          "--patch-module",
          "--limit-modules",
          "--enable-native-access",
          "--source");

  /** Two JVMs cannot listen at one port. */
  private static final List<String> LISTENING =
      List.of("-agentlib:jdwp", "-Xrunjdwp", "-Dcom.sun.management.jmxremote.port=");

  private final List<String> options = new ArrayList<>();
  private String before = "";

  private LauncherOptions() {}

  /**
   * Returns the options. A jar to run has become the class path; a debugger is left out.
   *
   * @param words the program and its arguments
   * @param directory what the names of argument files are relative to
   * @return null where this is no command line of {@code java}, or one with an argument file that
   *     is not there any more
   */
  static @Nullable List<String> parse(List<String> words, Path directory) {
    LauncherOptions reader = new LauncherOptions();
    boolean files = true;
    for (String word : words.subList(Math.min(1, words.size()), words.size())) {
      List<String> content = List.of(word);
      if (files && word.startsWith("@@")) {
        content = List.of(word.substring(1));
      } else if (files && word.startsWith("@") && word.length() > 1) {
        try {
          content = ArgumentFile.words(Files.readString(directory.resolve(word.substring(1))));
        } catch (IOException | IllegalArgumentException e) {
          return null;
        }
      } else if (word.equals("--disable-@files")) {
        files = false;
      }
      for (String each : content) {
        if (!reader.take(each)) {
          return reader.options;
        }
      }
    }
    return null;
  }

  /** Returns whether one of {@code names} is among the options, alone or with {@code =value}. */
  static boolean has(List<String> options, Set<String> names) {
    return options.stream()
        .anyMatch(option ->
            names.contains(option)
                || (option.startsWith("--") && names.contains(option.replaceFirst("=.*", ""))));
  }

  /** Takes one word; returns false where the options have ended. */
  private boolean take(String word) {
    if (before.equals("-jar")) {
      options.add("--class-path");
      options.add(word);
      return false;
    }
    if (WITH_VALUE.contains(before)) {
      options.add(word);
      before = "";
      return true;
    }
    before = word;
    if (!word.startsWith("-")
        || word.equals("-m")
        || word.equals("--module")
        || word.startsWith("--module=")) {
      return false;
    }
    if (!word.equals("-jar") && LISTENING.stream().noneMatch(word::startsWith)) {
      options.add(word);
    }
    return true;
  }
}
