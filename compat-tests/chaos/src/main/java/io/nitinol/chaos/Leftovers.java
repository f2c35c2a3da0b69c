// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Lists the resources that a closed communicator must have given back, as the kernel and the JVM
 * see them.
 */
public final class Leftovers {
  /** A thread inside a plugin that connects may stay for a while: nobody can call it back. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(25);

  /** Sockets, what selectors are made of, and RDMA devices. */
  private static final List<String> KINDS = List.of("socket:", "anon_inode:", "/dev/infiniband/");

  /** Threads that help all communicators of a process, and stay: three, and no more. */
  private static final Set<String> OF_THE_PROCESS =
      Set.of("nitinol-helper-0", "nitinol-helper-1", "nitinol-helper-2");

  private Leftovers() {}

  /** Returns the resources of this process, one line each, sorted. */
  public static List<String> now() {
    List<String> found = new ArrayList<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("nitinol") && !OF_THE_PROCESS.contains(thread.getName())) {
        found.add("thread " + thread.getName());
      }
    }
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      descriptors.forEach(each -> {
        String target = target(each);
        if (KINDS.stream().anyMatch(target::startsWith) || target.contains("nitinol")) {
          found.add("descriptor of " + target.replaceAll("\\d+", "n"));
        }
      });
      try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
        maps.filter(line -> line.contains("/dev/shm/")).forEach(line -> found.add("map " + line));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    found.sort(null);
    return found;
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (NoSuchFileException e) {
      return "gone"; // closed while it was looked at
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> more(List<String> before) {
    try {
      List<String> more = new ArrayList<>(now());
      before.forEach(more::remove);
      return more;
    } catch (UncheckedIOException e) {
      return List.of("(not known: " + e.getMessage() + ")"); // without descriptors, for example
    }
  }

  /** Waits until there are no resources beyond {@code before}; returns those that are left. */
  public static List<String> since(List<String> before) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      List<String> more = more(before);
      if (more.isEmpty() || System.nanoTime() - deadline >= 0) {
        return more;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }
}
