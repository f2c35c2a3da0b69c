// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.shm;

import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Names a process of this host for good: its number may be given to another process once it has
 * ended, but not together with the time it was started.
 *
 * @param pid its number
 * @param start when it was started, in the kernel's ticks since the machine was
 * @param space the namespace that the number is good in, by the kernel's number for it
 */
@AnyThread
public record ProcessName(long pid, long start, long space) {
  /** The state of a process and its start time, counted from behind the command's parenthesis. */
  private static final int STATE = 0;

  private static final int START = 19;

  /** How {@link #toString} writes it. */
  public static final String PATTERN = "(\\d{1,18})-(\\d{1,18})-(\\d{1,18})";

  private static final Pattern SPACE = Pattern.compile("pid:\\[(\\d{1,18})\\]");

  /**
   * Returns this process; null where the system has no {@code /proc} as Linux has it, and no
   * process can tell which one is dead.
   */
  public static @Nullable ProcessName self() {
    try {
      // A link to the number in the namespace of /proc, which is what others look up.
      Path self = Path.of("/proc/self").toRealPath();
      Matcher space =
          SPACE.matcher(Files.readSymbolicLink(self.resolve("ns").resolve("pid")).toString());
      String[] stat = stat(self.resolve("stat"));
      if (!space.matches() || stat.length <= START) {
        return null;
      }
      return new ProcessName(
          Long.parseLong(String.valueOf(self.getFileName())),
          Long.parseLong(stat[START]),
          Long.parseLong(space.group(1)));
    } catch (IOException | NumberFormatException e) {
      return null;
    }
  }

  /**
   * Returns process {@code pid} of this one's namespace; null where there is none, or no {@code
   * /proc} as Linux has it.
   */
  public static @Nullable ProcessName of(long pid) {
    ProcessName self = self();
    if (self == null) {
      return null;
    }
    try {
      String[] stat = stat(Path.of("/proc", String.valueOf(pid), "stat"));
      return stat.length <= START
          ? null
          : new ProcessName(pid, Long.parseLong(stat[START]), self.space);
    } catch (IOException | NumberFormatException e) {
      return null;
    }
  }

  /** Returns what {@link #PATTERN} has matched, whose first group is number {@code first}. */
  public static ProcessName of(MatchResult match, int first) {
    return new ProcessName(
        Long.parseLong(match.group(first)),
        Long.parseLong(match.group(first + 1)),
        Long.parseLong(match.group(first + 2)));
  }

  /**
   * Returns whether the process has certainly ended, as seen by {@code self}.
   *
   * @throws IOException when that cannot be told
   */
  public boolean hasEnded(ProcessName self) throws IOException {
    if (space != self.space) {
      return false; // its number means another process here
    }
    String[] stat;
    try {
      stat = stat(Path.of("/proc", String.valueOf(pid), "stat"));
    } catch (NoSuchFileException e) {
      return true;
    }
    return stat.length <= START
        || !stat[START].equals(String.valueOf(start))
        || stat[STATE].equals("Z")
        || stat[STATE].equals("X");
  }

  /**
   * Returns whether the process is there and stopped, by a signal or a debugger, as seen by {@code
   * self}; false where that cannot be told.
   */
  public boolean isStopped(ProcessName self) {
    try {
      String[] stat = stat(Path.of("/proc", String.valueOf(pid), "stat"));
      return space == self.space
          && stat.length > START
          && stat[START].equals(String.valueOf(start))
          && (stat[STATE].equals("T") || stat[STATE].equals("t"));
    } catch (IOException e) {
      return false;
    }
  }

  private static String[] stat(Path file) throws IOException {
    String text;
    try {
      text = Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      throw e;
    } catch (IOException e) {
      if (Files.exists(file)) {
        throw e;
      }
      throw new NoSuchFileException(file.toString(), null, "ended while it was read");
    }
    // The command, in parentheses, may have blanks and parentheses itself.
    return text.substring(text.lastIndexOf(')') + 1).strip().split(" ", -1);
  }

  @Override
  public String toString() {
    return pid + "-" + start + "-" + space;
  }
}
