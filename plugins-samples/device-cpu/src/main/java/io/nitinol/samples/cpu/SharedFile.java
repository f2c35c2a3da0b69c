// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import io.nitinol.spi.device.v1.DeviceFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file in shared memory whose mapping is memory of a device, so that another process of the same
 * user can open it. Its name holds the process that made it: files of processes that were killed
 * are removed when the twin starts in another one.
 */
final class SharedFile {
  private static final String PREFIX = "nitinol-cpu-";
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int BLOCK = 1 << 20;

  private final Path path;

  private SharedFile(Path path) {
    this.path = path;
  }

  /** Returns the directory of such files. */
  static Path directory() {
    Path memory = Path.of("/dev/shm");
    return Files.isDirectory(memory) && Files.isWritable(memory)
        ? memory
        : Path.of(System.getProperty("java.io.tmpdir"));
  }

  /** Returns 16 random bytes in hexadecimal digits, by which a file is named. */
  static String newToken() {
    byte[] token = new byte[CpuSharedHandle.TOKEN_SIZE];
    RANDOM.nextBytes(token);
    return HexFormat.of().formatHex(token);
  }

  /** Returns how the names of all files of a process begin. */
  static String prefixOf(OwnerProcess owner) {
    return "%s%d-%d-%d-".formatted(PREFIX, owner.namespace(), owner.pid(), owner.started());
  }

  static SharedFile of(OwnerProcess owner, String token) {
    return new SharedFile(directory().resolve(prefixOf(owner) + token));
  }

  /**
   * Creates the file and maps it.
   *
   * @throws io.nitinol.spi.device.v1.DeviceException with OUT_OF_MEMORY where the directory is full
   */
  MemorySegment create(Arena arena, long size) {
    try (FileChannel channel =
        FileChannel.open(
            path,
            Set.of(
                StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      occupy(channel, size);
      return channel.map(MapMode.READ_WRITE, 0, size, arena);
    } catch (IOException e) {
      unlink();
      throw CpuFailures.of(
          DeviceFailure.OUT_OF_MEMORY, e, "no %d bytes of memory at %s: %s", size, path, e);
    }
  }

  /** Writes every block: a sparse file's mapping would fault when the memory is full. */
  private static void occupy(FileChannel channel, long size) throws IOException {
    ByteBuffer zeroes = ByteBuffer.allocateDirect((int) Math.min(size, BLOCK));
    for (long at = 0; at < size; ) {
      zeroes.clear().limit((int) Math.min(size - at, zeroes.capacity()));
      at += channel.write(zeroes, at);
    }
  }

  /**
   * Maps a file that another process, or this one, has made.
   *
   * @throws io.nitinol.spi.device.v1.DeviceException with IPC_REFUSED where it is not there, is too
   *     short or may not be opened
   */
  MemorySegment open(Arena arena, long offset, long size) {
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      if (offset < 0 || size < 1 || offset > channel.size() || size > channel.size() - offset) {
        throw CpuFailures.of(
            DeviceFailure.IPC_REFUSED, "%s has no %d bytes at %d", path, size, offset);
      }
      return channel.map(MapMode.READ_WRITE, offset, size, arena);
    } catch (NoSuchFileException e) {
      throw CpuFailures.of(DeviceFailure.IPC_REFUSED, e, "%s: the memory has been closed", path);
    } catch (IOException e) {
      throw CpuFailures.of(DeviceFailure.IPC_REFUSED, e, "%s cannot be opened: %s", path, e);
    }
  }

  /** Takes the name away; mappings stay. */
  void unlink() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw CpuFailures.of(DeviceFailure.DRIVER_ERROR, e, "%s cannot be removed: %s", path, e);
    }
  }

  /** Removes what processes that are gone have left; the user's own files only. */
  static void removeStale() {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory(), PREFIX + "*")) {
      for (Path file : files) {
        OwnerProcess owner = ownerOf(file);
        if (owner != null && owner.hasEnded() && Files.isWritable(file)) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the name; null for another program's file. */
  private static @Nullable OwnerProcess ownerOf(Path file) {
    String[] parts = file.getFileName().toString().substring(PREFIX.length()).split("-", -1);
    try {
      return parts.length == 4
          ? new OwnerProcess(
              Long.parseLong(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[2]))
          : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
