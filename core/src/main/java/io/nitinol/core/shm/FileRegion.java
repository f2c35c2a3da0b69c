// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.shm;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A file that several processes map. The mapping outlives the name and the descriptor, and memory
 * that no process maps any more is freed by the kernel, however the processes ended.
 */
final class FileRegion extends SharedRegion {
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final Set<PosixFilePermission> OWN =
      Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
  private static final Set<OpenOption> CREATE =
      Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
  private static final Set<OpenOption> OPEN =
      Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

  /** How many names are tried: a second one is needed only where somebody guesses names. */
  private static final int MOST_NAMES = 16;

  private static final ByteBuffer ZEROES = ByteBuffer.allocateDirect(1 << 20);

  private final ShmDirectory directory;
  private final Path path;
  private final FileChannel file;
  private final Arena arena;
  private final MemorySegment memory;
  private boolean named = true;
  private boolean closed;

  private FileRegion(ShmDirectory directory, RegionHandle handle, int users, FileChannel file)
      throws IOException {
    super(handle, users);
    this.directory = directory;
    this.path = directory.path().resolve(handle.file());
    this.file = file;
    this.arena = Arena.ofShared();
    try {
      // Extends the file to its size, still without memory.
      this.memory = file.map(MapMode.READ_WRITE, 0, handle.size(), arena);
    } catch (IOException | RuntimeException e) {
      arena.close();
      throw e;
    }
  }

  /**
   * Creates a file.
   *
   * @param names makes the numbers that names end in
   * @param high first half of the token
   * @param low second half of the token
   */
  static FileRegion create(
      ShmDirectory directory, long size, int users, LongSupplier names, long high, long low) {
    directory.sweepAtTimes();
    for (int tries = 1; ; tries++) {
      RegionHandle handle =
          new RegionHandle(size, high, low, ShmDirectory.newName(names.getAsLong()));
      Path path = directory.path().resolve(handle.file());
      try {
        FileChannel file =
            NamedFiles.process().make(path, named -> FileChannel.open(named, CREATE, PRIVATE));
        return create(directory, handle, users, file, path);
      } catch (FileAlreadyExistsException e) {
        if (tries == MOST_NAMES) {
          throw failure(directory, size, e); // somebody else's, and left alone
        }
      } catch (IOException e) {
        throw failure(directory, size, e);
      }
    }
  }

  private static FileRegion create(
      ShmDirectory directory, RegionHandle handle, int users, FileChannel file, Path path)
      throws IOException {
    try {
      ByteBuffer header = ByteBuffer.allocate((int) HEADER).order(ByteOrder.nativeOrder());
      header.putLong(0, MAGIC);
      header.putLong((int) SIZE_AT, handle.size());
      header.putLong((int) HIGH_AT, handle.high());
      header.putLong((int) LOW_AT, handle.low());
      write(directory, file, header, 0);
      return new FileRegion(directory, handle, users, file);
    } catch (Throwable e) {
      try (file) {
        NamedFiles.process().remove(path);
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  static FileRegion join(ShmDirectory directory, RegionHandle handle, int users) {
    Path path = directory.path().resolve(handle.file());
    FileChannel file = null;
    try {
      requireOwn(path); // before it is opened: of a device even that has effects
      file = FileChannel.open(path, OPEN);
      requireMeant(file, handle);
      return new FileRegion(directory, handle, users, file);
    } catch (IOException | RuntimeException e) {
      NetException failure =
          new NetException(
              // A rank that fails removes what it offers: then its failure is the reason.
              e instanceof NoSuchFileException ? ResultCode.REMOTE_ERROR : ResultCode.SYSTEM_ERROR,
              ErrorText.of(
                  "cannot use %s as the shared memory that a rank of this host offers: %s; ranks "
                      + "that do not see the same directory need different NCCL_HOSTID, or "
                      + "NCCL_SHM_DISABLE=1",
                  path,
                  e instanceof NoSuchFileException
                      ? "it is not there, so that rank has given up or does not see this directory"
                      : e),
              e);
      if (file != null) {
        try {
          file.close();
        } catch (IOException suppressed) {
          failure.addSuppressed(suppressed);
        }
      }
      throw failure;
    }
  }

  private static void requireOwn(Path path) throws IOException {
    PosixFileAttributes found =
        Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    UserPrincipal user = ShmDirectory.user();
    if (!found.isRegularFile()) {
      throw new IOException("it is not a regular file");
    }
    if (user != null && !found.owner().equals(user)) {
      throw new IOException("it belongs to " + found.owner() + ", expected " + user);
    }
    if (!OWN.containsAll(found.permissions())) {
      throw new IOException(
          "its permissions are "
              + PosixFilePermissions.toString(found.permissions())
              + ", expected rw-------");
    }
  }

  /** A rank that knows the token has read the file of the rank that drew it, and no other can. */
  private static void requireMeant(FileChannel file, RegionHandle handle) throws IOException {
    if (file.size() != handle.size()) {
      throw new IOException("it has " + file.size() + " bytes, expected " + handle.size());
    }
    ByteBuffer header = ByteBuffer.allocate((int) LOW_AT + Long.BYTES);
    header.order(ByteOrder.nativeOrder());
    while (header.hasRemaining()) {
      if (file.read(header, header.position()) < 0) {
        throw new IOException("it ends after " + header.position() + " bytes");
      }
    }
    if (header.getLong(0) != MAGIC
        || header.getLong((int) SIZE_AT) != handle.size()
        || header.getLong((int) HIGH_AT) != handle.high()
        || header.getLong((int) LOW_AT) != handle.low()) {
      throw new IOException("it is another file than the one that was offered");
    }
  }

  @Override
  public MemorySegment memory() {
    return memory;
  }

  @Override
  public @Nullable Object attachment() {
    return null;
  }

  /**
   * Writes zeroes rather than leaving it to the first use: where memory has run out this fails in
   * an orderly way, while touching a page that cannot be had would kill the process.
   */
  @Override
  public void allocate(long offset, long bytes) {
    ByteBuffer zeroes = ZEROES.duplicate();
    try {
      for (long at = 0; at < bytes; at += zeroes.capacity()) {
        zeroes.clear().limit((int) Math.min(zeroes.capacity(), bytes - at));
        write(directory, file, zeroes, offset + at);
      }
    } catch (IOException e) {
      throw failure(directory, handle().size(), e);
    }
  }

  private static void write(ShmDirectory directory, FileChannel file, ByteBuffer bytes, long offset)
      throws IOException {
    long end = offset + bytes.remaining();
    boolean swept = false;
    while (bytes.hasRemaining()) {
      try {
        file.write(bytes, end - bytes.remaining());
      } catch (IOException e) {
        if (swept) {
          throw e;
        }
        directory.sweep(); // leftovers may be what fills it
        swept = true;
      }
    }
  }

  static void requireRoom(ShmDirectory directory, long bytes) {
    if (bytes > directory.usable()) {
      throw failure(directory, bytes, new IOException("No space left on device"));
    }
  }

  private static NetException failure(ShmDirectory directory, long size, IOException e) {
    return new NetException(ResultCode.SYSTEM_ERROR, sentence(directory, size, e), e);
  }

  /** Returns what went wrong and what may help. */
  static String sentence(ShmDirectory directory, long size, IOException e) {
    String why =
        e instanceof NoSuchFileException
            ? "the directory does not exist"
            : ErrorText.of("%s (%s)", ErrorText.reason(e), directory.room());
    return ErrorText.of(
        "cannot get %d bytes of shared memory in %s: %s%s", size, directory, why, advice(e));
  }

  /** Only what may help: in a directory that cannot be written no file is small enough. */
  static String advice(IOException e) {
    String why = String.valueOf(e.getMessage());
    if (why.contains("Too many open files")) {
      return "; raise the number of files that a process may have open (ulimit -n), or go without"
          + " by NCCL_SHM_DISABLE=1";
    }
    if (e instanceof NoSuchFileException) {
      return "; name another directory of memory with NITINOL_SHM_DIR, or go without by"
          + " NCCL_SHM_DISABLE=1";
    }
    if (why.contains("Read-only") || e instanceof AccessDeniedException) {
      return "; it cannot be written: name another directory of memory with NITINOL_SHM_DIR, or go"
          + " without by NCCL_SHM_DISABLE=1";
    }
    return "; make it larger (containers: --shm-size), name another directory of memory with"
        + " NITINOL_SHM_DIR, set a smaller NCCL_BUFFSIZE, or go without by NCCL_SHM_DISABLE=1";
  }

  @Override
  public void prefault() {
    memory.load();
  }

  @Override
  void complete() {
    if (named) {
      named = false;
      try (file) {
        NamedFiles.process().remove(path);
      } catch (IOException e) {
        directory.cannotRemove(path, e);
      }
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      complete();
      arena.close();
    }
  }
}
