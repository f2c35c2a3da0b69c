// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Keeps the images that were made, each in a directory of its own below the user's cache. A
 * directory appears when it is complete, and is replaced if its files have changed. Several builds
 * may use a cache at once: one makes an image, and the others wait for it.
 */
final class ImageCache {
  private static final Duration LOCK_LIMIT = Duration.ofMinutes(5);
  private static final Duration TURN_LIMIT = Duration.ofHours(2);
  private static final Duration UNUSED = Duration.ofDays(30);
  private static final String NEW = ".new";

  private final Path root;

  ImageCache(Path root) {
    this.root = root;
  }

  /** Makes an image. */
  @FunctionalInterface
  interface Maker {
    /** Leaves the files of an image in {@code directory}, which is empty. */
    void make(Path directory) throws IOException, InterruptedException, GuestUnavailable;
  }

  /** The cache of this user, by the rules of XDG. */
  static ImageCache ofUser() {
    String home = System.getenv("XDG_CACHE_HOME");
    Path base =
        home != null && home.startsWith("/")
            ? Path.of(home)
            : Path.of(System.getProperty("user.home"), ".cache");
    return new ImageCache(base.resolve("nitinol").resolve("rdma-guest"));
  }

  /** Returns the keys that the cache has, the most recently used last. */
  List<String> keys() throws IOException {
    if (!Files.isDirectory(root)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(root)) {
      return entries
          .filter(Files::isDirectory)
          .filter(entry -> !entry.toString().endsWith(NEW))
          .sorted(Comparator.comparing(ImageCache::lastUse))
          .map(entry -> entry.getFileName().toString())
          .toList();
    }
  }

  /**
   * Returns the image of a key. It is made if the cache does not have it, or has it damaged.
   *
   * @throws GuestUnavailable when it cannot be made
   */
  GuestImage get(String key, Maker maker)
      throws IOException, InterruptedException, GuestUnavailable {
    Files.createDirectories(root);
    Path directory = root.resolve(key);
    if (!Checksums.hold(directory)) {
      try (HostLock one = HostLock.take(root.resolve("lock"), LOCK_LIMIT)) {
        if (!Checksums.hold(directory)) { // else another has made it meanwhile
          make(directory, maker);
        }
        removeUnused(directory);
      }
    }
    Files.setLastModifiedTime(directory, FileTime.from(Instant.now()));
    return GuestImage.in(directory);
  }

  private void make(Path directory, Maker maker)
      throws IOException, InterruptedException, GuestUnavailable {
    Path fresh = directory.resolveSibling(directory.getFileName() + NEW);
    delete(fresh); // of one that was killed
    Files.createDirectories(fresh);
    try {
      maker.make(fresh);
      Checksums.write(fresh);
      // A guest that runs on damaged files has them open or has read them; it loses nothing.
      delete(directory);
      Files.move(fresh, directory, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      delete(fresh);
    }
  }

  /**
   * Waits until no other guest runs on this host: each emulates its processors, so that two of them
   * meet limits that are made for one.
   *
   * @return what to close when the guest has ended
   */
  HostLock turn() throws IOException, InterruptedException {
    Files.createDirectories(root);
    return HostLock.take(root.resolve("turn"), TURN_LIMIT);
  }

  private void removeUnused(Path used) throws IOException {
    FileTime old = FileTime.from(Instant.now().minus(UNUSED));
    try (Stream<Path> entries = Files.list(root)) {
      for (Path entry : entries.filter(Files::isDirectory).toList()) {
        if (!entry.equals(used) && lastUse(entry).compareTo(old) < 0) {
          delete(entry);
        }
      }
    }
  }

  private static FileTime lastUse(Path directory) {
    try {
      return Files.getLastModifiedTime(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
