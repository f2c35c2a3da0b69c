// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The error file of a JVM that crashed.
 *
 * @param file its {@code hs_err} file
 * @param signal the signal's name; empty where the file has none
 * @param frame the frame it crashed in; empty where the file has none
 */
public record CrashLog(Path file, String signal, String frame) implements Crash {
  static final String PREFIX = "hs_err_";

  private static final Pattern SIGNAL = Pattern.compile("#\\s+(SIG[A-Z]+) \\(0x");
  private static final Pattern FRAME = Pattern.compile("# Problematic frame:\\R# (.*)");
  private static final Pattern COMPILED_BY_C1 = Pattern.compile("J \\d+%? c1 .*");

  /** Reads the error files in a directory. */
  static List<CrashLog> in(Path directory) throws IOException {
    List<CrashLog> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.sorted().toList()) {
        if (file.getFileName().toString().startsWith(PREFIX)) {
          String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
          all.add(new CrashLog(file, first(SIGNAL, text), first(FRAME, text).strip()));
        }
      }
    }
    return all;
  }

  private static String first(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? matcher.group(1) : "";
  }

  /**
   * Returns whether the emulation is to blame: with several processors it sometimes executes code
   * of C1 while the JVM is patching it.
   */
  @Override
  public boolean isOfEmulation() {
    return (signal.equals("SIGSEGV") || signal.equals("SIGILL"))
        && COMPILED_BY_C1.matcher(frame).matches();
  }

  @Override
  public String toString() {
    return "%s in %s (%s)".formatted(signal, frame, file);
  }
}
