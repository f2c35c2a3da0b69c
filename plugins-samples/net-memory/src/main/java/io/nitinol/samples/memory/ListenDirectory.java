// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The directory of one listener, in which peers leave their files: only this user can enter it, and
 * it is gone when the listener is closed. Its name says whose it is, so that one whose process was
 * killed can be recognised and removed.
 */
final class ListenDirectory {
  private static final Pattern NAME =
      Pattern.compile("nitinol-memory-(\\d+)-(\\d+)-(\\d+)-[0-9a-f]{16}");

  /** How often a close tries again because a peer has put another file there meanwhile. */
  private static final int MOST_TRIES = 1000;

  final Path path;
  private final Path base;

  private final UserPrincipal owner;

  private ListenDirectory(Path base, Path path) throws IOException {
    this.base = base;
    this.path = path;
    this.owner = Files.getOwner(path, LinkOption.NOFOLLOW_LINKS);
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

  static ListenDirectory create(MemoryListenHandle handle) throws IOException {
    return new ListenDirectory(
        handle.base(),
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
    try (SecureDirectoryStream<Path> entries = open(base)) {
      remove(entries, path.getFileName(), owner);
    }
  }

  /**
   * Removes the directory {@code name} in {@code base} with all files that are in it, by
   * descriptors all the way: an attacker that puts a link in the place of either directory
   * meanwhile does not get other files removed. Fails where it is a link or belongs to another than
   * {@code owner}.
   */
  static void remove(SecureDirectoryStream<Path> base, Path name, UserPrincipal owner)
      throws IOException {
    for (int tries = 1; ; tries++) {
      try (SecureDirectoryStream<Path> directory =
          base.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
        UserPrincipal found =
            directory.getFileAttributeView(PosixFileAttributeView.class).getOwner();
        if (!found.equals(owner)) {
          throw new AccessDeniedException(
              name.toString(), null, "it belongs to " + found + ", expected " + owner);
        }
        for (Path file : directory) {
          deleteFile(directory, file.getFileName()); // a full path would not go by the descriptor
        }
      } catch (DirectoryIteratorException e) {
        throw e.getCause();
      }
      try {
        base.deleteDirectory(name);
        return;
      } catch (DirectoryNotEmptyException e) {
        if (tries == MOST_TRIES) {
          throw e;
        }
      }
    }
  }

  private static void deleteFile(SecureDirectoryStream<Path> directory, Path name)
      throws IOException {
    try {
      directory.deleteFile(name);
    } catch (NoSuchFileException e) {
      // A peer has taken its file back meanwhile.
    }
  }

  /** Opens a directory, which by this all that is done in it refers to. */
  @SuppressWarnings("StreamResourceLeak") // the caller's to close
  static SecureDirectoryStream<Path> open(Path directory) throws IOException {
    DirectoryStream<Path> entries = Files.newDirectoryStream(directory);
    if (entries instanceof SecureDirectoryStream<Path> secure) {
      return secure;
    }
    entries.close();
    throw new IOException(directory + " cannot be read by its descriptor, as Linux can");
  }

  /** Returns the user that this process acts for, as the owner of files. */
  static UserPrincipal user() throws IOException {
    return Files.getOwner(Path.of("/proc/self"));
  }

  /** Removes the directories of processes that ended without closing their listeners. */
  static void removeLeftOnes(Host host) throws IOException {
    UserPrincipal user = user();
    try (SecureDirectoryStream<Path> base = open(host.directory)) {
      for (Path entry : base) {
        Path file = entry.getFileName();
        Matcher name = NAME.matcher(file.toString());
        if (name.matches() && isDirectoryOf(entry, user) && isLeft(host, name)) {
          removeForeign(host, base, file, user);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  private static boolean isDirectoryOf(Path entry, UserPrincipal user) throws IOException {
    try {
      return Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)
          && Files.getOwner(entry, LinkOption.NOFOLLOW_LINKS).equals(user);
    } catch (NoSuchFileException e) {
      return false; // another instance was faster
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

  private static void removeForeign(
      Host host, SecureDirectoryStream<Path> base, Path name, UserPrincipal user) {
    try {
      remove(base, name, user);
    } catch (NoSuchFileException | NotDirectoryException e) {
      // Another instance was faster.
    } catch (IOException e) {
      host.warn(
          "could not remove %s, which an ended process has left: %s"
              .formatted(host.directory.resolve(name), e));
    }
  }
}
