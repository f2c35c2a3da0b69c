// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The directory of one listener, in which peers leave their files: nobody but this user can enter
 * it, and it is gone when the listener is closed. Its name says whose it is, so that one whose
 * process was killed can be recognised and removed.
 */
final class ListenDirectory {
  private static final Pattern NAME =
      Pattern.compile("nitinol-memory-(\\d+)-(\\d+)-(\\d+)-[0-9a-f]{16}");

  /** How often a close tries again because a peer has put another file there meanwhile. */
  private static final int MOST_TRIES = 1000;

  final Path path;

  private ListenDirectory(Path path) {
    this.path = path;
  }

  static String name(ProcessId process, String listener) {
    return String.join(
        "-",
        "nitinol-memory",
        Integer.toUnsignedString(process.pid()),
        Long.toUnsignedString(process.start()),
        Long.toUnsignedString(process.space()),
        listener);
  }

  static ListenDirectory create(ListenHandle handle) throws IOException {
    return new ListenDirectory(
        Files.createDirectory(
            handle.directory(),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))));
  }

  /** Returns what is there whose names begin with {@code prefix}, in no order. */
  List<Path> list(String prefix) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(path, prefix + "*")) {
      entries.forEach(files::add);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return files;
  }

  /** Removes it with all that is in it. From then on no peer can put anything there. */
  void remove() throws IOException {
    for (int tries = 1; ; tries++) {
      for (Path file : list("")) {
        Files.deleteIfExists(file);
      }
      try {
        Files.deleteIfExists(path);
        return;
      } catch (DirectoryNotEmptyException e) {
        if (tries == MOST_TRIES) {
          throw e;
        }
      }
    }
  }

  /** Removes the directories of processes that ended without closing their listeners. */
  static void removeLeftOnes(Host host) throws IOException {
    try (DirectoryStream<Path> entries =
        Files.newDirectoryStream(host.directory, "nitinol-memory-*")) {
      for (Path entry : entries) {
        Matcher name = NAME.matcher(entry.getFileName().toString());
        if (name.matches()
            && Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)
            && Files.isWritable(entry) // or it is another user's
            && isLeft(host, name)) {
          new ListenDirectory(entry).removeForeign(host);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  private static boolean isLeft(Host host, Matcher name) throws IOException {
    ProcessId owner;
    try {
      owner =
          new ProcessId(
              Integer.parseInt(name.group(1)),
              Long.parseLong(name.group(2)),
              Long.parseLong(name.group(3)));
    } catch (NumberFormatException e) {
      return false; // not a number of ours
    }
    if (owner.space() != host.self.space()) {
      return false; // its number means another process here
    }
    ProcessWatch watch = host.watch(owner);
    try {
      return watch.hasEnded();
    } finally {
      host.release(watch);
    }
  }

  private void removeForeign(Host host) {
    try {
      remove();
    } catch (NoSuchFileException | NotDirectoryException e) {
      // Another instance was faster.
    } catch (IOException e) {
      host.warn("could not remove " + path + ", which an ended process has left: " + e);
    }
  }
}
