// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A file in memory that two or more processes share, or two ends in one process. It has room for
 * plain bytes and for numbers that one side publishes and others watch: what was written before
 * {@link #publish} is seen by every process that has {@link #watch}ed the new number.
 *
 * <p>The mapping outlives the file's name and its descriptor. It belongs to one comm, and any
 * thread may close it (NET-THREAD-05), hence the shared arena: dear to close, but that is once per
 * comm.
 */
final class MappedFile implements AutoCloseable {
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final ByteBuffer ZEROES = ByteBuffer.allocateDirect(1 << 16);

  /** All its bytes. */
  final MemorySegment bytes;

  private final Arena arena;

  /** A file is not what this end would have created. */
  static final class WrongSizeException extends IOException {
    private static final long serialVersionUID = 1L;

    WrongSizeException(String message) {
      super(message);
    }
  }

  private MappedFile(FileChannel file, long size) throws IOException {
    arena = Arena.ofShared();
    try {
      bytes = file.map(MapMode.READ_WRITE, 0, size, arena);
    } catch (IOException | RuntimeException e) {
      arena.close();
      throw e;
    }
  }

  /** Creates a file of zeroes that no other process has opened yet. */
  static MappedFile create(Path path, long size) throws IOException {
    Set<StandardOpenOption> options =
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try (FileChannel file = FileChannel.open(path, options, PRIVATE)) {
      fill(file, size);
      return new MappedFile(file, size);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (IOException e) {
      Files.deleteIfExists(path);
      throw e;
    }
  }

  /**
   * Writes zeroes rather than just extending the file: where memory has run out this fails in an
   * orderly way, while touching a page that cannot be had later on would kill the process.
   */
  private static void fill(FileChannel file, long size) throws IOException {
    ByteBuffer zeroes = ZEROES.duplicate();
    for (long at = 0; at < size; at += zeroes.position()) {
      zeroes.clear().limit((int) Math.min(zeroes.capacity(), size - at));
      file.write(zeroes, at);
    }
  }

  /** Opens a file that another end has created; fails where it has another size. */
  static MappedFile open(Path path, long size) throws IOException {
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      if (file.size() != size) {
        throw new WrongSizeException(path + " has " + file.size() + " bytes, expected " + size);
      }
      return new MappedFile(file, size);
    }
  }

  /** Changes a number in a file that this end does not open. */
  static void write(Path path, long offset, long value) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
      file.write(bytes.putLong(0, value), offset);
    }
  }

  /** Reads a number and sees all that was written before it was published. */
  long watch(long offset) {
    return (long) LONG.getAcquire(bytes, offset);
  }

  /** Writes a number after all that was written before. */
  void publish(long offset, long value) {
    LONG.setRelease(bytes, offset, value);
  }

  /** Writes a number if it still is {@code expected}, even if other processes want to change it. */
  boolean change(long offset, long expected, long value) {
    return LONG.compareAndSet(bytes, offset, expected, value);
  }

  @Override
  public void close() {
    arena.close();
  }
}
