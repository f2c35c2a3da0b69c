// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What one thread of all processes of this host holds at a time: a locked file, which the kernel
 * frees when a process dies.
 */
final class HostLock implements AutoCloseable {
  private static final long LOOK_NANOS = 20_000_000;

  /**
   * Orders the threads of this JVM. The kernel locks for a process, and frees its lock when any of
   * its threads closes the file, so only the thread whose turn it is opens it.
   */
  private static final Map<Path, Semaphore> HERE = new ConcurrentHashMap<>();

  private final Semaphore here;
  private final FileChannel channel;

  private HostLock(Semaphore here, FileChannel channel) {
    this.here = here;
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
    long start = System.nanoTime();
    Semaphore here = HERE.computeIfAbsent(file.toAbsolutePath(), f -> new Semaphore(1));
    if (!here.tryAcquire(limit.toNanos(), TimeUnit.NANOSECONDS)) {
      throw late(file, limit);
    }
    FileChannel channel = null;
    try {
      channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      while (channel.tryLock() == null) {
        if (left(start, limit) <= 0) {
          throw late(file, limit);
        }
        LockSupport.parkNanos(LOOK_NANOS);
        if (Thread.interrupted()) {
          throw new InterruptedException("while waiting for " + file);
        }
      }
      return new HostLock(here, channel);
    } catch (IOException | InterruptedException | RuntimeException e) {
      if (channel != null) {
        channel.close();
      }
      here.release();
      throw e;
    }
  }

  private static long left(long start, Duration limit) {
    return start + limit.toNanos() - System.nanoTime();
  }

  private static IOException late(Path file, Duration limit) {
    return new IOException(
        "another thread or process holds %s for more than %d s".formatted(file, limit.toSeconds()));
  }

  /** Gives the lock back. */
  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      here.release();
    }
  }
}
