// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.live;

import io.nitinol.core.shm.HostName;
import io.nitinol.core.shm.ProcessName;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.file.PrivateDirectory;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The directories in which the processes of one user have their sockets: {@code nitinol} in {@code
 * XDG_RUNTIME_DIR}, and {@code nitinol-UID} in the directory for temporary files. A process takes
 * the first that it can have; {@code nitinol top} looks into both, since a job may have been
 * started without the variable.
 *
 * <p>A socket's name tells its host, since hosts may share a directory, and its process. So the
 * next process that opens one, and {@code nitinol top}, know the socket of a process of this host
 * that was killed, and remove it.
 */
@AnyThread
public final class LiveDirectory {
  private static final String PREFIX = "top-";
  private static final Pattern NAME =
      Pattern.compile(PREFIX + "([0-9a-f]{8})-" + ProcessName.PATTERN + "-([0-9a-f]{1,16})");
  private static final int HOST = 1;
  private static final int PROCESS = 2;
  private static final int NUMBER = 5;
  private static final int HEX = 16;

  private static final String NO_PROC =
      "this system has no /proc, by which processes are told apart";
  private static final String NO_DIRECTORY =
      "XDG_RUNTIME_DIR is no absolute path, and java.io.tmpdir neither";

  /** How many names are looked at, far more than a host has processes of one user. */
  private static final int MOST_NAMES = 4096;

  /** Makes something of a socket's path. */
  interface Opening<T> {
    T open(Path socket) throws IOException;
  }

  private final List<Path> candidates;

  private LiveDirectory(List<Path> candidates) {
    this.candidates = List.copyOf(candidates);
  }

  /** Returns the directories of this process's user. */
  public static LiveDirectory ofUser() {
    return of(System.getenv(), System.getProperty("java.io.tmpdir", "/tmp"));
  }

  /**
   * Returns the directories of a process with other variables.
   *
   * @param environment where {@code XDG_RUNTIME_DIR} is looked for
   * @param temporary the directory for temporary files
   */
  public static LiveDirectory of(Map<String, String> environment, String temporary) {
    List<Path> candidates = new ArrayList<>();
    String runtime = environment.getOrDefault("XDG_RUNTIME_DIR", "");
    add(candidates, runtime, "nitinol");
    add(candidates, temporary, "nitinol-" + PrivateDirectory.user());
    return new LiveDirectory(candidates);
  }

  private static void add(List<Path> candidates, String in, String name) {
    try {
      if (Path.of(in).isAbsolute()) { // as the specification of XDG_RUNTIME_DIR wants it
        candidates.add(Path.of(in, name));
      }
    } catch (InvalidPathException e) {
      // cannot be one of a directory either
    }
  }

  /** Returns how the names of this host's sockets begin. */
  static String host() {
    String name = HostName.self();
    return String.format(Locale.ROOT, "%08x", name == null ? 0 : name.hashCode());
  }

  /**
   * Opens this process's socket in the first directory that can be had and where that is possible,
   * and removes those of ended processes beside it.
   *
   * @param number the process's, as {@link LiveProcess#number}
   * @throws IOException with the reason for each directory, where there can be none
   */
  <T> T socket(long number, Opening<T> opening) throws IOException {
    ProcessName self = ProcessName.self();
    if (self == null) {
      throw new IOException(NO_PROC);
    }
    List<String> reasons = new ArrayList<>();
    for (Path candidate : candidates) {
      try {
        Path directory = PrivateDirectory.create(candidate);
        list(directory, self, problem -> {});
        String name = PREFIX + host() + "-" + self + "-" + Long.toHexString(number);
        return opening.open(directory.resolve(name));
      } catch (IOException e) {
        reasons.add(reason(candidate, e));
      }
    }
    throw new IOException(reasons.isEmpty() ? NO_DIRECTORY : String.join("; ", reasons));
  }

  /**
   * Returns the processes that have a socket, and removes the sockets of those that have ended.
   *
   * @param problems is told, in a sentence, of each directory that cannot be looked into
   * @throws IOException with these sentences, where that is so of all directories
   */
  public List<LiveProcess> processes(Consumer<String> problems) throws IOException {
    List<LiveProcess> found = new ArrayList<>();
    ProcessName self = ProcessName.self();
    if (self == null) {
      throw new IOException(NO_PROC);
    }
    List<String> reasons = new ArrayList<>();
    for (Path candidate : candidates) {
      try {
        found.addAll(list(PrivateDirectory.require(candidate), self, problems));
      } catch (NoSuchFileException e) {
        // no process has needed it
      } catch (IOException e) {
        reasons.add(reason(candidate, e));
      }
    }
    if (reasons.size() == candidates.size()) {
      throw new IOException(reasons.isEmpty() ? NO_DIRECTORY : String.join("\n", reasons));
    }
    reasons.forEach(problems);
    return found;
  }

  private static List<LiveProcess> list(Path directory, ProcessName self, Consumer<String> problems)
      throws IOException {
    List<LiveProcess> found = new ArrayList<>();
    String host = host();
    int looked = 0;
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        if (++looked > MOST_NAMES) {
          problems.accept(ErrorText.of("%s: only %d names were looked at", directory, MOST_NAMES));
          break;
        }
        Matcher name = NAME.matcher(String.valueOf(entry.getFileName()));
        if (name.matches()) {
          ProcessName process = ProcessName.of(name, PROCESS);
          if (!name.group(HOST).equals(host)) {
            continue; // a process of that number here is another one
          }
          if (process.hasEnded(self)) {
            Files.deleteIfExists(entry);
          } else {
            long number = Long.parseUnsignedLong(name.group(NUMBER), HEX);
            found.add(new LiveProcess(entry, process, number));
          }
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return found;
  }

  private static String reason(Path candidate, IOException e) {
    String text = ErrorText.reason(e);
    return text.contains(candidate.toString()) ? text : candidate + ": " + text;
  }

  @Override
  public String toString() {
    return String.join(" and ", candidates.stream().map(Path::toString).toList());
  }
}
