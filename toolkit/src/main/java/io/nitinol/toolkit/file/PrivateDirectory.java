// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.file;

import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A directory that this process's user alone can enter, so that whatever is in it was put there by
 * this user, and no other can use it: the place for sockets between the user's processes.
 */
@AnyThread
public final class PrivateDirectory {
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private static final int OF_OTHERS = 0077;

  private PrivateDirectory() {}

  /**
   * Tells for which user this process acts.
   *
   * @return the user's number; -1 if unknown
   */
  public static int user() {
    return NamedFile.user();
  }

  /**
   * Returns a directory, made where nothing stands.
   *
   * @param named the path; the directory that it is in must exist
   * @return the path without links
   * @throws IOException with a reason in words, where it is none, is not this user's, or can be
   *     entered or replaced by others
   */
  public static Path create(Path named) throws IOException {
    try {
      NamedFile found = NamedFile.ofLastName(named);
      if (found.kind() == FileKind.ABSENT) {
        Files.createDirectory(found.path(), PRIVATE);
      }
    } catch (FileAlreadyExistsException e) {
      // another process was faster, and is looked at like any other
    }
    return require(named);
  }

  /**
   * Returns a directory that is there.
   *
   * @param named the path
   * @return the path without links
   * @throws NoSuchFileException where nothing stands there
   * @throws IOException as {@link #create}
   */
  public static Path require(Path named) throws IOException {
    NamedFile found = NamedFile.ofLastName(named);
    if (found.kind() == FileKind.ABSENT) {
      throw new NoSuchFileException(found.path().toString());
    }
    if (found.kind() != FileKind.DIRECTORY) {
      throw new IOException(
          ErrorText.of("%s is %s; expected a directory", named, found.kind().words()));
    }
    if (found.owner() != user()) {
      throw new IOException(
          ErrorText.of(
              "%s belongs to user %d; expected user %d, for whom this process acts",
              named, found.owner(), user()));
    }
    if ((found.mode() & OF_OTHERS) != 0) {
      throw new IOException(
          ErrorText.of(
              "%s has mode %04o, so that others may enter it; expected 0700, as chmod go= %s makes"
                  + " it",
              named, found.mode(), named));
    }
    found.requirePrivateDirectory();
    return found.path();
  }
}
