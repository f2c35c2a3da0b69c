// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.file;

import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;

/**
 * Writes the files that a variable or an option names. Such a name may lead anywhere, so this
 * class, and nothing else, decides what is done with what stands there:
 *
 * <table>
 * <caption>What is done with what stands at the path</caption>
 * <tr><th>a regular file<td>{@link #write} replaces it at once and whole, by a file that it writes
 *     beside it and moves; mode and owner stay. Where that cannot be (a directory that this process
 *     may not write, a mounted file, a file with two names or of another user) it writes into the
 *     file. What makes the file longer comes first: a full disk leaves the old content also there,
 *     unless the file has holes or its file system copies on write
 * <tr><th>nothing<td>a new file, with the mode that the umask leaves
 * <tr><th>a device of characters<td>written to, never replaced: {@code /dev/null}, {@code
 *     /dev/full}, a terminal
 * <tr><th>a pipe<td>written to if some process reads it; else refused at once, without waiting
 * <tr><th>an open descriptor, as {@code /dev/stdout}<td>written to, at the end of a regular file
 * <tr><th>a symbolic link<td>followed, also to a file that does not exist yet
 * <tr><th>a directory, a block device, a socket<td>refused
 * </table>
 *
 * <p>Links, files and pipes of other users in a directory that others can write are refused; a
 * secret is created where nothing stands, and in no directory in which others could replace it
 * ({@code /tmp} is sticky and will do). Between the look and the writing nothing but the last name
 * is protected from being changed into a link; a directory of strangers is no place for a report.
 *
 * <p>The message of each exception is a reason without the path, which the caller has.
 */
@AnyThread
public final class OutputFile {
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final FileAttribute<?>[] BY_UMASK = {};
  private static final int BUFFER_BYTES = 1 << 20;

  private OutputFile() {}

  /** Gives what a file is to hold, for one that is too long for an array. */
  @FunctionalInterface
  public interface Content {
    /**
     * Writes all of it.
     *
     * @param out where to; buffered, and not to be closed
     * @throws IOException when it cannot be written, or cannot be had
     */
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Writes a whole file.
   *
   * @param named the path, as the user gave it
   * @param content what it holds
   * @throws IOException with a reason in words
   */
  public static void write(Path named, byte[] content) throws IOException {
    try {
      NamedFile found = writable(named);
      switch (found.kind()) {
        case ABSENT -> replace(found, out -> out.write(content), BY_UMASK);
        case REGULAR -> {
          if (!isReplaceable(found) || !replaceLikewise(found, out -> out.write(content))) {
            writeInto(found, content);
          }
        }
        default -> writeInto(found, content);
      }
    } catch (IOException e) {
      throw inWords(e);
    }
  }

  private static boolean isReplaceable(NamedFile found) {
    return !found.isDescriptor() && found.names() == 1 && found.owner() == NamedFile.user();
  }

  /**
   * Writes a whole file of any length. A file that is not replaced loses its old content before.
   *
   * @param named the path, as the user gave it
   * @param content gives what it holds; where it fails, a file that would be replaced, or that was
   *     not there, is as before. May be asked twice
   * @throws IOException with a reason in words
   */
  public static void write(Path named, Content content) throws IOException {
    try {
      NamedFile found = writable(named);
      if (found.kind() == FileKind.ABSENT) {
        replace(found, content, BY_UMASK);
      } else if (found.kind() != FileKind.REGULAR
          || !isReplaceable(found)
          || !replaceLikewise(found, content)) {
        try (OutputStream out = into(found)) {
          buffered(out, content);
        }
      }
    } catch (IOException e) {
      throw inWords(e);
    }
  }

  private static void buffered(OutputStream to, Content content) throws IOException {
    BufferedOutputStream out = new BufferedOutputStream(to, BUFFER_BYTES);
    content.writeTo(out);
    out.flush();
  }

  /**
   * Writes a whole file of text.
   *
   * @param named the path, as the user gave it
   * @param text what it holds, in UTF-8
   * @throws IOException with a reason in words
   */
  public static void write(Path named, String text) throws IOException {
    write(named, text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Opens a file for lines that are added at its end, each in one write. The stream does not close
   * when its thread is interrupted.
   *
   * @param named the path, as the user gave it
   * @return the stream, to be closed by the caller
   * @throws IOException with a reason in words
   */
  public static OutputStream append(Path named) throws IOException {
    try {
      NamedFile found = writable(named);
      return switch (found.kind()) {
        case PIPE -> openPipe(found);
        case CHARACTER_DEVICE -> open(found, StandardOpenOption.WRITE);
        default ->
            open(
                found,
                StandardOpenOption.WRITE,
                StandardOpenOption.APPEND,
                StandardOpenOption.CREATE);
      };
    } catch (IOException e) {
      throw inWords(e);
    }
  }

  /**
   * Creates a file that only this user can read, and that a process which sees it sees whole.
   *
   * @param named the path, as the user gave it
   * @param content the secret
   * @throws FileAlreadyExistsException when a file stands there already
   * @throws IOException with a reason in words
   */
  public static void createSecret(Path named, byte[] content) throws IOException {
    try {
      NamedFile found = NamedFile.ofLastName(named);
      if (found.kind() == FileKind.REGULAR) {
        throw new FileAlreadyExistsException(found.path().toString());
      }
      if (found.kind() != FileKind.ABSENT) {
        throw new IOException(
            ErrorText.of("it is %s; a secret needs a path where nothing is", found.kind().words()));
      }
      found.requirePrivateDirectory();
      Path beside = create(found, PRIVATE);
      try {
        fill(beside, out -> out.write(content));
        Files.createLink(found.path(), beside); // unlike a move, never in the place of another
      } finally {
        Files.deleteIfExists(beside);
      }
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (IOException e) {
      throw inWords(e);
    }
  }

  /**
   * Removes a file of {@link #createSecret} if {@code isLeft} accepts what it holds. Of several
   * processes that do so at once one removes it, and none removes what has been created in its
   * place meanwhile: the file is locked while it is looked at.
   *
   * @param named the path, as the user gave it
   * @param most how many bytes of it are looked at
   * @param isLeft looks at them
   * @return whether nothing stands there any more
   * @throws IOException with a reason in words, where that cannot be told
   */
  public static boolean removeSecret(Path named, int most, Predicate<byte[]> isLeft)
      throws IOException {
    try {
      NamedFile found = NamedFile.ofLastName(named);
      if (found.kind() == FileKind.ABSENT) {
        return true;
      }
      if (found.kind() != FileKind.REGULAR || found.owner() != NamedFile.user()) {
        return false;
      }
      found.requirePrivateDirectory();
      Object file = identity(found);
      try (FileChannel open =
              FileChannel.open(
                  found.path(),
                  StandardOpenOption.READ,
                  StandardOpenOption.WRITE,
                  LinkOption.NOFOLLOW_LINKS);
          FileLock _ = open.lock()) {
        ByteBuffer content = ByteBuffer.allocate(most);
        while (content.hasRemaining() && open.read(content) >= 0) {}
        boolean left = isLeft.test(Arrays.copyOf(content.array(), content.position()));
        if (!left || !file.equals(identity(found))) {
          return false;
        }
        Files.delete(found.path());
        return true;
      }
    } catch (NoSuchFileException e) {
      return true; // another process has removed it
    } catch (OverlappingFileLockException e) {
      return false; // another thread is about to
    } catch (IOException e) {
      throw inWords(e);
    }
  }

  /** Returns what tells the file that stands there from every other one that is still open. */
  private static Object identity(NamedFile found) throws IOException {
    return Files.readAttributes(found.path(), "unix:dev,ino", LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Finds out early whether {@link #write} would refuse the path; nothing is opened.
   *
   * @param named the path, as the user gave it
   * @throws IOException with a reason in words
   */
  public static void requireWritable(Path named) throws IOException {
    try {
      NamedFile found = writable(named);
      boolean absent = found.kind() == FileKind.ABSENT;
      if (!Files.isWritable(absent ? found.directory() : found.path())) {
        throw new AccessDeniedException(named.toString());
      }
    } catch (IOException e) {
      throw inWords(e);
    }
  }

  private static NamedFile writable(Path named) throws IOException {
    NamedFile found = NamedFile.of(named);
    return switch (found.kind()) {
      case ABSENT, REGULAR, PIPE, CHARACTER_DEVICE -> found;
      default -> throw new IOException("it is " + found.kind().words());
    };
  }

  /** Writes a file beside the path and moves it there. */
  private static void replace(NamedFile found, Content content, FileAttribute<?>... attributes)
      throws IOException {
    Path beside = create(found, attributes);
    try {
      fill(beside, content);
      move(beside, found);
    } finally {
      Files.deleteIfExists(beside); // still there only where something has failed
    }
  }

  /**
   * Replaces a file of this user by one of the same mode and group; returns false where the
   * directory, or the file, does not allow that. A failure of the content, or of its way to the
   * disk, is the caller's: the file is as before.
   */
  private static boolean replaceLikewise(NamedFile found, Content content) throws IOException {
    Path beside;
    try {
      beside = create(found, PRIVATE);
    } catch (FileSystemException e) {
      return false;
    }
    try {
      fill(beside, content);
      return moveLikewise(beside, found);
    } finally {
      Files.deleteIfExists(beside); // what is written into the file next may need its room
    }
  }

  private static boolean moveLikewise(Path beside, NamedFile found) throws IOException {
    try {
      Files.setAttribute(beside, "unix:gid", found.group(), LinkOption.NOFOLLOW_LINKS);
      Files.setAttribute(beside, "unix:mode", found.mode());
      move(beside, found);
      return true;
    } catch (FileSystemException e) {
      return false; // a group that is not this user's, or a mounted file
    }
  }

  private static Path create(NamedFile found, FileAttribute<?>... attributes) throws IOException {
    String name = String.format(".nitinol-%016x", ThreadLocalRandom.current().nextLong());
    return Files.createFile(found.directory().resolve(name), attributes);
  }

  private static void fill(Path beside, Content content) throws IOException {
    try (OutputStream out =
        Files.newOutputStream(beside, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      buffered(out, content);
    }
  }

  private static void move(Path beside, NamedFile found) throws IOException {
    Files.move(
        beside, found.path(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void writeInto(NamedFile found, byte[] content) throws IOException {
    if (found.kind() == FileKind.REGULAR && !found.isDescriptor()) {
      overwrite(found, content);
      return;
    }
    try (OutputStream out = into(found)) {
      out.write(content);
    }
  }

  private static OutputStream into(NamedFile found) throws IOException {
    return switch (found.kind()) {
      case PIPE -> openPipe(found);
      case CHARACTER_DEVICE -> open(found, StandardOpenOption.WRITE);
      default ->
          found.isDescriptor()
              ? open(found, StandardOpenOption.WRITE, StandardOpenOption.APPEND) // as others
              : open(found, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
    };
  }

  /**
   * Writes over a file's content without making it empty before: what goes beyond the old end comes
   * first, since a full disk refuses that, and the old content is whole until then. The rest goes
   * where the file has its room already. Each byte goes to its own place, so that two processes
   * that write at once do not make the file longer twice.
   */
  private static void overwrite(NamedFile found, byte[] content) throws IOException {
    long size = Files.size(found.path());
    int within = (int) Math.min(size, content.length);
    change(
        found,
        file -> {
          extend(file, content, within, size);
          overwriteStart(file, content, within);
          file.truncate(content.length);
        });
  }

  private static void extend(FileChannel file, byte[] content, int from, long size)
      throws IOException {
    try {
      writeAt(file, content, from, content.length);
    } catch (ClosedByInterruptException e) {
      throw e; // it is done again
    } catch (IOException e) {
      takeBack(file, size, e);
      throw e;
    }
  }

  /** Cuts off what was added to a file; {@code cause} also tells where that fails. */
  private static void takeBack(FileChannel file, long size, IOException cause)
      throws ClosedByInterruptException {
    try {
      file.truncate(size);
    } catch (ClosedByInterruptException e) {
      throw e; // it is done again
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  private static void overwriteStart(FileChannel file, byte[] content, int bytes)
      throws IOException {
    try {
      writeAt(file, content, 0, bytes);
    } catch (ClosedByInterruptException e) {
      throw e; // it is done again
    } catch (IOException e) {
      throw new IOException(
          ErrorText.of("%s; a part of the old content is lost", ErrorText.reason(e)), e);
    }
  }

  private static void writeAt(FileChannel file, byte[] content, int from, int to)
      throws IOException {
    ByteBuffer left = ByteBuffer.wrap(content, from, to - from);
    while (left.hasRemaining()) {
      file.write(left, left.position());
    }
  }

  /** A change of a file that may be begun again. */
  @FunctionalInterface
  private interface Change {
    void apply(FileChannel file) throws IOException;
  }

  /** Changes a file, also on an interrupted thread, for which a channel closes itself. */
  private static void change(NamedFile found, Change change) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        try (FileChannel file =
            FileChannel.open(found.path(), StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
          change.apply(file);
          return;
        } catch (ClosedByInterruptException e) {
          interrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static OutputStream open(NamedFile found, OpenOption... options) throws IOException {
    if (found.isDescriptor()) {
      return Files.newOutputStream(found.path(), options);
    }
    OpenOption[] unfollowed = new OpenOption[options.length + 1];
    System.arraycopy(options, 0, unfollowed, 0, options.length);
    unfollowed[options.length] = LinkOption.NOFOLLOW_LINKS;
    return Files.newOutputStream(found.path(), unfollowed);
  }

  /**
   * Opens a pipe without waiting for a reader, as open does that is asked for writing only: it is
   * opened both ways first, which never waits, and that end is closed again. Without another reader
   * the first write then fails. A reader that comes at that moment finds an empty pipe.
   */
  private static OutputStream openPipe(NamedFile found) throws IOException {
    try (FileChannel _ =
        FileChannel.open(found.path(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return open(found, StandardOpenOption.WRITE);
    }
  }

  private static IOException inWords(IOException e) {
    String reason = ErrorText.reason(e);
    return new IOException("Broken pipe".equals(reason) ? "no process reads this pipe" : reason, e);
  }
}
