// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.tck;

import io.nitinol.cli.launch.ExitReason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The end of a process of the kit that the plugin has brought down.
 *
 * @param how what comes after "the process"; one line
 * @param frames the stack where it crashed, of which the JVM's error file tells; may be empty
 */
record KitCrash(String how, List<String> frames) {
  private static final String ERROR_FILE = "-XX:ErrorFile=";
  private static final int MOST_FRAMES = 40;

  /** Tells of a process that ended by itself. */
  static KitCrash of(long pid, int status, List<String> command) {
    String how = ExitReason.describe(status);
    Path file = errorFile(pid, command);
    if (file == null) {
      // A process that a signal has asked to end notes that: no such status is a signal's here.
      return new KitCrash(
          ExitReason.isSignal(status) && !ExitReason.isAsked(status)
              ? how
              : ExitReason.exit(status) + ", as by a call of exit or _exit",
          List.of());
    }
    try {
      // A name in it may be in any encoding: in this one, each byte is a character.
      List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
      return new KitCrash(how + cause(lines) + "; hs_err file: " + file, frames(lines));
    } catch (IOException e) {
      return new KitCrash(how + "; hs_err file: " + file + " (" + e + ")", List.of());
    }
  }

  /** Tells of a process that did not get on and was killed for it. */
  static KitCrash stuck(int seconds) {
    return new KitCrash("did not get on for " + seconds + " s and was killed", List.of());
  }

  private static @Nullable Path errorFile(long pid, List<String> command) {
    List<Path> places = new ArrayList<>();
    for (String option : command) {
      if (option.startsWith(ERROR_FILE)) {
        places.addFirst(
            Path.of(option.substring(ERROR_FILE.length()).replace("%p", Long.toString(pid))));
      }
    }
    String name = "hs_err_pid" + pid + ".log";
    places.add(Path.of(name));
    places.add(Path.of("/tmp", name)); // where the JVM writes it if it cannot here
    return places.stream()
        .filter(Files::isRegularFile)
        .map(Path::toAbsolutePath)
        .findFirst()
        .orElse(null);
  }

  /** The JVM ends by SIGABRT, or without a core file by a status of 1, whatever it was. */
  static String cause(List<String> lines) {
    String signal = "";
    String frame = "";
    for (int i = 0; i + 1 < lines.size(); i++) {
      if (signal.isEmpty() && lines.get(i).matches("# +SIG[A-Z]+ .*")) {
        signal = " after " + lines.get(i).replaceFirst("# +(SIG[A-Z]+) .*", "$1");
      } else if (frame.isEmpty() && lines.get(i).equals("# Problematic frame:")) {
        frame = " in " + lines.get(i + 1).replaceFirst("^# *", "").replaceAll(" +", " ").strip();
      }
    }
    return signal + frame;
  }

  /** Returns those of the plugin and of Nitinol, the outermost first, as calls are traced. */
  static List<String> frames(List<String> lines) {
    List<String> frames = new ArrayList<>();
    boolean inside = false;
    for (String line : lines) {
      if (line.startsWith("Native frames:") || line.startsWith("Java frames:")) {
        inside = frames.isEmpty() || line.startsWith("Native frames:");
      } else if (line.isBlank()) {
        inside = false;
      } else if (inside && frames.size() < MOST_FRAMES && !line.contains(" java.base@")) {
        frames.addFirst(line.strip());
      }
    }
    return List.copyOf(frames);
  }
}
