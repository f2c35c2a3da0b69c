// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.config;

import java.io.IOException;
import java.nio.file.Files;
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
 * thread.
 *
 * <p>A value that does not parse counts as not set and leaves one warning, which names the value,
 * where it came from and what is accepted. Warnings wait until {@link #warnTo} gives them somewhere
 * to go, since the log itself is configured by variables.
 */
public final class Settings {
  /** A value and the place it was found in. */
  private record Entry(String value, String source) {}

  private static final class Process {
    static final Settings INSTANCE =
        load(System.getenv(), System.getProperty("user.home"), Path.of("/etc/nccl.conf"));
  }

  private final Map<String, Entry> entries;
  private final Set<String> warned = ConcurrentHashMap.newKeySet();
  private final List<String> waiting = new ArrayList<>();
  private @Nullable Consumer<String> sink;

  private Settings(Map<String, Entry> entries) {
    this.entries = entries;
  }

  /** Returns the settings of this process, read when first asked for. */
  public static Settings process() {
    return Process.INSTANCE;
  }

  /** Returns settings that hold just {@code values}; for tests and embedding applications. */
  public static Settings of(Map<String, String> values) {
    Map<String, Entry> entries = new HashMap<>();
    values.forEach((name, value) -> entries.put(name, new Entry(value, "environment")));
    return new Settings(entries);
  }

  /**
   * Reads settings from an environment and the two configuration files.
   *
   * @param environment the environment's variables
   * @param home the user's home directory, where {@code .nccl.conf} is looked for; null for none
   * @param system the system-wide file; may not exist
   */
  public static Settings load(Map<String, String> environment, @Nullable String home, Path system) {
    Map<String, Entry> entries = new HashMap<>();
    List<String> problems = new ArrayList<>();
    readFile(system, entries, problems);
    String named = environment.get("NCCL_CONF_FILE");
    if (named != null && !named.isBlank()) {
      readFile(Path.of(named), entries, problems);
    } else if (home != null) {
      readFile(Path.of(home, ".nccl.conf"), entries, problems);
    }
    environment.forEach((name, value) -> {
      if (name.startsWith("NCCL_") || name.startsWith("NITINOL_")) {
        entries.put(name, new Entry(value, "environment"));
      }
    });
    Settings settings = new Settings(entries);
    settings.waiting.addAll(problems);
    return settings;
  }

  private static void readFile(Path file, Map<String, Entry> entries, List<String> problems) {
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (NoSuchFileException e) {
      return; // both files are optional
    } catch (IOException e) {
      problems.add("cannot read " + file + ": " + e);
      return;
    }
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      int equals = line.indexOf('=');
      if (equals <= 0) {
        problems.add(file + ":" + (i + 1) + ": \"" + line + "\": expected NAME=VALUE");
        continue;
      }
      entries.put(
          line.substring(0, equals).strip(),
          new Entry(line.substring(equals + 1).strip(), file + ":" + (i + 1)));
    }
  }

  /** Returns the value of {@code variable}: what is set, or else its default. */
  public <T> T get(Variable<T> variable) {
    Entry entry = entries.get(variable.name());
    if (entry == null || entry.value().isEmpty()) {
      return variable.fallback();
    }
    try {
      return variable.parse(entry.value());
    } catch (IllegalArgumentException e) {
      if (warned.add(variable.name())) {
        warn(e.getMessage() + " (from " + entry.source() + ")");
      }
      return variable.fallback();
    }
  }

  /** Returns whether {@code variable} has a value that is not empty. */
  public boolean isSet(Variable<?> variable) {
    Entry entry = entries.get(variable.name());
    return entry != null && !entry.value().isEmpty();
  }

  /** Returns the text that {@code name} is set to, as it was written, or null. */
  public @Nullable String raw(String name) {
    Entry entry = entries.get(name);
    return entry == null ? null : entry.value();
  }

  /** Returns where the value of {@code variable} comes from: a file and line, or a word. */
  public String source(Variable<?> variable) {
    Entry entry = entries.get(variable.name());
    return entry == null ? "default" : entry.source();
  }

  /** Returns the names of all variables that are set. */
  public Set<String> names() {
    return Set.copyOf(entries.keySet());
  }

  /** Sends all warnings, those already waiting and those to come, to {@code sink}. */
  public void warnTo(Consumer<String> newSink) {
    synchronized (waiting) {
      sink = newSink;
      waiting.forEach(newSink);
      waiting.clear();
    }
  }

  private void warn(String message) {
    synchronized (waiting) {
      if (sink == null) {
        waiting.add(message);
      } else {
        sink.accept(message);
      }
    }
  }
}
