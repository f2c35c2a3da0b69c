// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The values of variables: the environment over {@code ~/.nccl.conf} (or the file that {@code
 * NCCL_CONF_FILE} names) over {@code /etc/nccl.conf}, as in NCCL. Immutable once made, safe for any
 * thread. The rules are {@code SET-01} to {@code SET-08} of {@code SPEC.md}.
 *
 * <p>A value that does not parse counts as not set and leaves one warning, which names the value,
 * where it came from and what is accepted. Warnings wait until {@link #warnTo} gives them somewhere
 * to go, since the log itself is configured by variables.
 */
public final class Settings {
  /** Stands for bytes that are not UTF-8. */
  private static final char UNDECODABLE = '\ufffd';

  /** The variable that names a configuration file. */
  private static final String NAMED_FILE = "NCCL_CONF_FILE";

  private static final String ABSENT = "there is no such file";

  /** The largest configuration file that is read: no other bound ends the reading of a device. */
  // Of st_mode, see inode(7).
  private static final int FILE_TYPE = 0170000;

  private static final int PIPE = 0010000;

  private static final int MAX_FILE_BYTES = 1 << 20;

  /** A value and the place it was found in. */
  private record Entry(String value, String source) {}

  private static final class Process {
    static final Settings INSTANCE =
        load(System.getenv(), System.getProperty("user.home"), Path.of("/etc/nccl.conf"));
  }

  private final Map<String, Entry> entries;

  /** What is wrong with the file that {@link #NAMED_FILE} names; null where it could be read. */
  private final @Nullable String unreadable;

  private final List<String> fileMistakes;
  private final Set<String> warned = ConcurrentHashMap.newKeySet();
  private final List<String> waiting = new ArrayList<>();
  private @Nullable Consumer<String> sink;

  private Settings(
      Map<String, Entry> entries, @Nullable String unreadable, List<String> fileMistakes) {
    this.entries = entries;
    this.unreadable = unreadable;
    this.fileMistakes = List.copyOf(fileMistakes);
  }

  /**
   * Returns the settings of this process, read when first asked for.
   *
   * @return the environment and the configuration files of this process
   */
  public static Settings process() {
    return Process.INSTANCE;
  }

  /**
   * Makes settings that hold nothing but the given values; for tests and embedding applications.
   *
   * @param values the text of each variable, by name
   * @return the settings
   */
  public static Settings of(Map<String, String> values) {
    Map<String, Entry> entries = new HashMap<>();
    values.forEach((name, value) -> entries.put(name, new Entry(value, "the application")));
    return new Settings(entries, null, List.of());
  }

  /**
   * Reads settings from an environment and the two configuration files. A file that cannot be read
   * and a line that is not {@code NAME=VALUE} leave a warning, not an exception.
   *
   * @param environment the environment's variables, of which those named {@code NCCL_*} and {@code
   *     NITINOL_*} are taken
   * @param home the user's home directory, where {@code .nccl.conf} is looked for; null for none
   * @param system the system-wide file; may not exist
   * @return the settings
   */
  public static Settings load(Map<String, String> environment, @Nullable String home, Path system) {
    Map<String, Entry> entries = new HashMap<>();
    List<String> mistakes = new ArrayList<>();
    environment.forEach((name, value) -> {
      if (name.startsWith("NCCL_") || name.startsWith("NITINOL_")) {
        entries.put(name, new Entry(value, "the environment"));
      }
    });
    String named = environment.getOrDefault(NAMED_FILE, "").strip();
    String unreadable = null;
    if (!named.isEmpty()) {
      String why = readFile(named, entries, mistakes);
      unreadable = why == null ? null : NAMED_FILE + "=" + named + ": " + why;
    } else if (home != null) {
      readUnnamed(Path.of(home, ".nccl.conf"), entries, mistakes);
    }
    readUnnamed(system, entries, mistakes);
    Settings settings = new Settings(entries, unreadable, mistakes);
    if (unreadable != null) {
      settings.waiting.add(unreadable);
    }
    settings.waiting.addAll(mistakes);
    return settings;
  }

  /** Reads a file that may be absent. */
  private static void readUnnamed(Path file, Map<String, Entry> entries, List<String> mistakes) {
    String why = readFile(file.toString(), entries, mistakes);
    if (why != null && !why.equals(ABSENT)) {
      mistakes.add("cannot read " + file + ": " + why);
    }
  }

  /**
   * Adds what the file sets and nothing before it did: the first word on a variable counts.
   *
   * @return why the file cannot be read, or null
   */
  private static @Nullable String readFile(
      String name, Map<String, Entry> entries, List<String> mistakes) {
    byte[] content;
    try {
      if (isPipe(Path.of(name))) {
        return "it is a pipe, and several processes read it";
      }
    } catch (IOException | InvalidPathException | UnsupportedOperationException _) {
      // opening it tells why
    }
    try (InputStream in = Files.newInputStream(Path.of(name))) {
      content = in.readNBytes(MAX_FILE_BYTES + 1);
    } catch (NoSuchFileException e) {
      return ABSENT;
    } catch (AccessDeniedException e) {
      return "it may not be read";
    } catch (IOException | InvalidPathException e) {
      return e.getMessage();
    }
    if (content.length > MAX_FILE_BYTES) {
      return "it has more than " + MAX_FILE_BYTES + " bytes";
    }
    // Leniently: one bad byte, in a comment perhaps, must not cost the whole file.
    List<String> lines = new String(content, StandardCharsets.UTF_8).lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      String place = name + ":" + (i + 1);
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      if (line.indexOf(UNDECODABLE) >= 0) {
        mistakes.add(place + ": not UTF-8 text, line skipped"); // not quoted: it may be a secret
        continue;
      }
      int equals = line.indexOf('=');
      String variable = equals < 0 ? "" : line.substring(0, equals).strip();
      if (variable.isEmpty()) {
        mistakes.add(place + ": expected NAME=VALUE, line skipped");
        continue;
      }
      entries.putIfAbsent(variable, new Entry(line.substring(equals + 1).strip(), place));
    }
    return null;
  }

  /** Returns whether opening the file could wait for a process that writes it. */
  private static boolean isPipe(Path file) throws IOException {
    return Files.getAttribute(file, "unix:mode") instanceof Integer mode
        && (mode & FILE_TYPE) == PIPE;
  }

  /**
   * Returns the value of a variable.
   *
   * @param <T> the type of the value
   * @param variable the declaration of the variable
   * @return the set value, or the default if nothing is set, the text is blank or does not parse
   */
  public <T> T get(Variable<T> variable) {
    Entry entry = entries.get(variable.name());
    if (entry == null || entry.value().isBlank()) {
      return variable.fallback();
    }
    try {
      return variable.parse(entry.value());
    } catch (IllegalArgumentException e) {
      if (warned.add(variable.name())) {
        warn(mistake(variable, entry, e));
      }
      return variable.fallback();
    }
  }

  /**
   * Returns what is wrong with the text of a variable.
   *
   * @param variable the declaration of the variable
   * @return a sentence that names the text, where it comes from, what was expected and what happens
   *     now; null where the variable is not set, blank or well-formed. Of {@code NCCL_CONF_FILE} it
   *     tells why the file cannot be read
   */
  public @Nullable String mistake(Variable<?> variable) {
    if (variable.name().equals(NAMED_FILE) && unreadable != null) {
      return unreadable;
    }
    Entry entry = entries.get(variable.name());
    if (entry == null || entry.value().isBlank()) {
      return null;
    }
    try {
      variable.parse(entry.value());
      return null;
    } catch (IllegalArgumentException e) {
      return mistake(variable, entry, e);
    }
  }

  private static String mistake(Variable<?> variable, Entry entry, IllegalArgumentException why) {
    return why.getMessage()
        + " (from "
        + entry.source()
        + "); "
        + (variable.isStrict()
            ? "what needs it fails, nothing is guessed instead"
            : "using the default, " + asSet(variable.fallback()));
  }

  /** Returns a default as a user would set it: a switch has no words. */
  private static Object asSet(Object fallback) {
    return fallback instanceof Boolean on ? (on ? 1 : 0) : fallback;
  }

  /**
   * Returns what of the configuration files is not understood.
   *
   * @return a sentence for each line that is not {@code NAME=VALUE}, with its file and number, and
   *     for a file that is there and cannot be read. The file that {@code NCCL_CONF_FILE} names is
   *     not among them: {@link #mistake} tells of it
   */
  public List<String> fileMistakes() {
    return fileMistakes;
  }

  /**
   * Returns whether a variable is set to more than blanks, well-formed or not.
   *
   * @param variable the declaration of the variable
   * @return true if there is a text
   */
  public boolean isSet(Variable<?> variable) {
    Entry entry = entries.get(variable.name());
    return entry != null && !entry.value().isBlank();
  }

  /**
   * Returns the text a variable is set to.
   *
   * @param name the name of the variable
   * @return the text as it was written, or null where the variable is not set
   */
  public @Nullable String raw(String name) {
    Entry entry = entries.get(name);
    return entry == null ? null : entry.value();
  }

  /**
   * Returns where the text of a variable comes from, human-readable.
   *
   * @param variable the declaration of the variable
   * @return a file and line, {@code the environment}, {@code the application} or {@code default}
   */
  public String source(Variable<?> variable) {
    Entry entry = entries.get(variable.name());
    return entry == null || entry.value().isBlank() ? "default" : entry.source();
  }

  /**
   * Returns the names of all variables that are set, declared or not.
   *
   * @return the names, in no order
   */
  public Set<String> names() {
    return Set.copyOf(entries.keySet());
  }

  /**
   * Sends all warnings to a sink, those already waiting first and once.
   *
   * @param newSink called with one warning at a time, on the thread that caused it; replaces the
   *     sink before it
   */
  public void warnTo(Consumer<String> newSink) {
    List<String> late;
    synchronized (waiting) {
      sink = newSink;
      late = List.copyOf(waiting);
      waiting.clear();
    }
    late.forEach(newSink);
  }

  private void warn(String message) {
    Consumer<String> target;
    synchronized (waiting) {
      target = sink;
      if (target == null) {
        waiting.add(message);
      }
    }
    if (target != null) {
      target.accept(message); // outside the lock: the sink may read settings itself
    }
  }
}
