// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What one thread of all processes of this host holds at a time: a locked file, which the kernel
 * frees when a process dies.
 */
final class HostLock implements AutoCloseable {
  private static final long LOOK_NANOS = 20_000_000;

  private final FileChannel channel;

  private HostLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Waits until nobody else holds the lock, and takes it.
   *
   * @param file the file, which is made where it is missing and stays
   * @param limit the longest wait
   * @throws IOException when the wait is over, or the file cannot be locked
   */
  static HostLock take(Path file, Duration limit) throws IOException, InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean taken = false;
    try {
      while (tryLock(channel) == null) {
        if (System.nanoTime() - end > 0) {
          throw new IOException(
              "another process holds %s for more than %d s".formatted(file, limit.toSeconds()));
        }
        LockSupport.parkNanos(LOOK_NANOS);
        if (Thread.interrupted()) {
          throw new InterruptedException("while waiting for " + file);
        }
      }
      taken = true;
      return new HostLock(channel);
    } finally {
      if (!taken) {
        channel.close();
      }
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // another thread of this JVM
    }
  }

  /** Gives the lock back. */
  @Override
  public void close() throws IOException {
    channel.close();
  }
}
