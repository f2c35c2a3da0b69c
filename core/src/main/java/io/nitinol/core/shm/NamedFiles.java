// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.shm;

import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * The files that this process has made and that still have their names. A process that is told to
 * end, by Ctrl-C or SIGTERM, removes them; of one that is killed the next process does it, see
 * {@link ShmDirectory}.
 *
 * <p>The end waits for a name that is just being made or removed: a thread that was interrupted by
 * it between the two could leave the name behind.
 */
@AnyThread
final class NamedFiles {
  private static final class Process {
    static final NamedFiles INSTANCE = new NamedFiles(Files::deleteIfExists);

    static {
      try {
        Runtime.getRuntime().addShutdownHook(new Thread(INSTANCE::end, "nitinol-shm-names"));
      } catch (IllegalStateException e) {
        INSTANCE.end(); // the JVM ends already
      }
    }
  }

  /** Makes or removes a file. */
  @FunctionalInterface
  interface Step<T> {
    T take(Path file) throws IOException;
  }

  private final Step<Boolean> deleting;
  private final Set<Path> files = new HashSet<>(); // guarded by this
  private boolean ended; // guarded by this

  /** Creates the list of a process. */
  NamedFiles(Step<Boolean> deleting) {
    this.deleting = deleting;
  }

  /** Returns this process's own. */
  static NamedFiles process() {
    return Process.INSTANCE;
  }

  /**
   * Makes a file with a name, which is noted before it is there.
   *
   * @throws IOException when it cannot be made, is there already, or the process is ending
   */
  synchronized <T> T make(Path file, Step<T> making) throws IOException {
    if (ended) {
      throw new IOException("this process is ending");
    }
    files.add(file);
    try {
      return making.take(file);
    } catch (IOException e) {
      files.remove(file); // another process's, or none
      throw e;
    }
  }

  /** Removes a file's name, if it is still there; where that fails, the end tries again. */
  synchronized void remove(Path file) throws IOException {
    deleting.take(file);
    files.remove(file);
  }

  /** Removes all names, and has no more made. */
  synchronized void end() {
    ended = true;
    files.forEach(this::tryToDelete);
  }

  private void tryToDelete(Path file) {
    try {
      deleting.take(file);
    } catch (IOException e) {
      return; // the next process that makes a file here tries again, and reports it
    }
  }
}
