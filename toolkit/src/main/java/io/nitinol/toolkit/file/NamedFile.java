// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.file;

import io.nitinol.toolkit.ErrorText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a path leads: its links are followed one by one, and each is looked at first.
 *
 * <p>In a directory that others can write, an entry may have been put there by another user for
 * this process to follow or to open. So a link, a file or a pipe in such a directory has to belong
 * to this process's user, to root or to the directory's owner; the kernel's {@code
 * protected_symlinks} asks for the same.
 *
 * @param path the path without links; of an open descriptor, its link below {@code /proc}
 * @param kind what stands there
 * @param mode the permission bits, 0 where nothing stands there
 * @param owner the number of the user that it belongs to, -1 where nothing stands there
 * @param group the number of its group, -1 where nothing stands there
 * @param names how many names the file has
 * @param isDescriptor whether it is a descriptor that a process has open, as {@code /dev/stdout} is
 */
record NamedFile(
    Path path, FileKind kind, int mode, int owner, int group, int names, boolean isDescriptor) {
  private static final String ATTRIBUTES = "unix:mode,uid,gid,nlink";
  private static final int GROUP_WRITES = 0020;
  private static final int OTHERS_WRITE = 0002;
  private static final int STICKY = 01000;
  private static final int PERMISSIONS = 07777;

  /** As many as the kernel follows. */
  private static final int MOST_LINKS = 40;

  private static final Path PROC = Path.of("/proc");

  /** Belongs to the user and the group that this process acts for. */
  private static final Path SELF = PROC.resolve("self");

  /**
   * Follows a path to what stands there.
   *
   * @throws NoSuchFileException when a directory of the path does not exist
   * @throws IOException when a link or the file itself is not to be trusted
   */
  static NamedFile of(Path named) throws IOException {
    return of(named, true);
  }

  /** As the other one, but the last name is not followed where it is a link. */
  static NamedFile ofLastName(Path named) throws IOException {
    return of(named, false);
  }

  private static NamedFile of(Path named, boolean followsLast) throws IOException {
    Path absolute = named.toAbsolutePath();
    Path root = absolute.getRoot();
    Path at = root;
    Deque<Path> rest = new ArrayDeque<>();
    absolute.forEach(rest::addLast);
    int links = 0;
    while (!rest.isEmpty()) {
      Path name = rest.removeFirst();
      Path directory = at;
      if (name.toString().isEmpty() || name.toString().equals(".")) {
        continue;
      }
      if (name.toString().equals("..")) {
        at = at.getParent() == null ? root : at.getParent(); // it has no links any more
        continue;
      }
      at = directory.resolve(name);
      Map<String, Object> found = look(at, LinkOption.NOFOLLOW_LINKS);
      boolean isLast = rest.isEmpty();
      if (found == null) {
        if (isLast) {
          return new NamedFile(at, FileKind.ABSENT, 0, -1, -1, 0, false);
        }
        throw new NoSuchFileException(at.toString(), null, "there is no directory " + at);
      }
      NamedFile entry = of(at, found, false);
      if (entry.kind != FileKind.LINK || (isLast && !followsLast)) {
        if (isLast && entry.kind != FileKind.DIRECTORY) {
          entry.requireTrusted(directory);
        }
        continue;
      }
      entry.requireTrusted(directory);
      if (isDescriptor(directory)) {
        if (isLast) {
          Map<String, Object> open = look(at);
          if (open == null) {
            throw new NoSuchFileException(at.toString(), null, "no such descriptor is open");
          }
          return of(at, open, true);
        }
        continue; // of a directory, whose text need not be its path
      }
      if (++links > MOST_LINKS) {
        throw new IOException("more than " + MOST_LINKS + " symbolic links");
      }
      Path target = Files.readSymbolicLink(at);
      at = target.isAbsolute() ? root : directory;
      for (Iterator<Path> names = backwards(target); names.hasNext(); ) {
        rest.addFirst(names.next());
      }
    }
    Map<String, Object> found = look(at, LinkOption.NOFOLLOW_LINKS);
    if (found == null) {
      throw new NoSuchFileException(at.toString(), null, "it has just been removed");
    }
    return of(at, found, false);
  }

  private static NamedFile of(Path path, Map<String, Object> found, boolean isDescriptor) {
    int mode = number(found, "mode");
    return new NamedFile(
        path,
        FileKind.of(mode),
        mode & PERMISSIONS,
        number(found, "uid"),
        number(found, "gid"),
        number(found, "nlink"),
        isDescriptor);
  }

  /** Returns the attributes of what stands at {@code path}; null where nothing does. */
  private static @Nullable Map<String, Object> look(Path path, LinkOption... options)
      throws IOException {
    try {
      return Files.readAttributes(path, ATTRIBUTES, options);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private static int number(Map<String, Object> found, String attribute) {
    return found.get(attribute) instanceof Number number ? number.intValue() : -1;
  }

  private static Iterator<Path> backwards(Path path) {
    Deque<Path> names = new ArrayDeque<>();
    path.forEach(names::addLast);
    return names.descendingIterator();
  }

  /** The links in {@code /proc/PID/fd} lead to what is open, whatever their text. */
  private static boolean isDescriptor(Path directory) {
    return directory.startsWith(PROC) && directory.endsWith("fd");
  }

  /** Returns the number of the user that this process acts for; -1 if unknown. */
  static int user() {
    try {
      return Files.getAttribute(SELF, "unix:uid") instanceof Integer user ? user : -1;
    } catch (IOException e) {
      return -1;
    }
  }

  private void requireTrusted(Path directory) throws IOException {
    NamedFile parent = of(directory, Files.readAttributes(directory, ATTRIBUTES), false);
    if ((parent.mode & OTHERS_WRITE) != 0 && owner != parent.owner && !isOfUserOrRoot()) {
      throw notTrusted();
    }
  }

  private boolean isOfUserOrRoot() {
    return owner == 0 || owner == user();
  }

  private IOException notTrusted() {
    return new IOException(
        ErrorText.of(
            "%s is %s of user %d in a directory that others can write, and may have been put"
                + " there for this process to use",
            path, kind.words(), owner));
  }

  /** Returns the directory that the file is in. */
  Path directory() {
    Path parent = path.getParent();
    return parent == null ? path : parent;
  }

  /**
   * Refuses a directory where others could put a file of theirs in the place of this one. Those of
   * a group count as well, but for the user's private group: many systems give each user one, and
   * all directories the mode 0775. The directory's owner and the directories above are not looked
   * at.
   *
   * @throws IOException when others, or a group, can write the directory; in a sticky one, as
   *     {@code /tmp} is, only when the file is neither this user's nor root's
   */
  void requirePrivateDirectory() throws IOException {
    if (isDescriptor) {
      return;
    }
    NamedFile parent = of(directory(), Files.readAttributes(directory(), ATTRIBUTES), false);
    if ((parent.mode & STICKY) != 0) {
      boolean isShared = (parent.mode & (GROUP_WRITES | OTHERS_WRITE)) != 0;
      if (isShared && kind != FileKind.ABSENT && !isOfUserOrRoot()) {
        throw notTrusted();
      }
      return;
    }
    if ((parent.mode & OTHERS_WRITE) != 0) {
      throw new IOException(
          ErrorText.of(
              "others can write the directory %s (mode %04o), so they could put a secret of theirs"
                  + " there",
              directory(), parent.mode));
    }
    if ((parent.mode & GROUP_WRITES) != 0 && !parent.isOfPrivateGroup()) {
      throw new IOException(
          ErrorText.of(
              "group %d can write the directory %s (mode %04o), so its members could put a secret"
                  + " of theirs there; chmod g-w takes that away",
              parent.group, directory(), parent.mode));
    }
  }

  /** Returns whether its group is the user's first one, and has the user's name or number. */
  private boolean isOfPrivateGroup() throws IOException {
    PosixFileAttributes self = Files.readAttributes(SELF, PosixFileAttributes.class);
    return Files.getAttribute(SELF, "unix:gid") instanceof Integer own
        && own == group
        && self.group().getName().equals(self.owner().getName());
  }
}
