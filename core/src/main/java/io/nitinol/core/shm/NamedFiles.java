// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.shm;

import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The files that this process has made and that still have their names. A process that is told to
 * end, by Ctrl-C or SIGTERM, removes them; of one that is killed the next process does it, see
 * {@link ShmDirectory}.
 */
@AnyThread
final class NamedFiles {
  private static final Set<Path> FILES = ConcurrentHashMap.newKeySet();
  private static volatile boolean ending;

  static {
    try {
      Runtime.getRuntime().addShutdownHook(new Thread(NamedFiles::end, "nitinol-shm-names"));
    } catch (IllegalStateException e) {
      ending = true; // the JVM ends already
    }
  }

  private NamedFiles() {}

  /** Takes note of a file that is about to be made; of one that is made too late none remains. */
  static void add(Path file) throws IOException {
    if (ending) {
      throw new IOException("this process is ending");
    }
    FILES.add(file);
  }

  /** Forgets a file that another process has made under that name. */
  static void forget(Path file) {
    FILES.remove(file);
  }

  /** Removes a file's name, if it is still there. */
  static void remove(Path file) throws IOException {
    FILES.remove(file);
    Files.deleteIfExists(file);
  }

  private static void end() {
    ending = true;
    FILES.forEach(NamedFiles::tryToDelete);
  }

  private static void tryToDelete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      return; // the next process that makes a file here tries again, and reports it
    }
  }
}
