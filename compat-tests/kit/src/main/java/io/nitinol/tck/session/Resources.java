// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * Counts the resources of this process, as Linux reports them. Useful in a process of the test's
 * own, where no other code changes them.
 *
 * @param threads threads of every kind, the JVM's included
 * @param descriptors open file descriptors, without the one that counts them
 * @param mappings mapped areas of memory
 * @param lockedKilobytes memory that is locked or pinned, as registered regions are, in KiB
 */
public record Resources(int threads, int descriptors, int mappings, long lockedKilobytes) {
  private static final int COLLECTIONS = 12;
  private static final int IDLE_COLLECTIONS = 2;
  private static final long LITTLE = 4096;
  private static final long CLEANING = TimeUnit.MILLISECONDS.toNanos(10);

  /** The resources that the JVM itself may take meanwhile: a compiler's thread, a jar. */
  private static final int SPARE = 16;

  private static final long SETTLING = TimeUnit.SECONDS.toNanos(5);
  private static final Path PROC = Path.of("/proc/self");

  /** Where plugins put files for a while. */
  private static final List<Path> FILES =
      List.of(Path.of("/dev/shm"), Path.of(System.getProperty("java.io.tmpdir")));

  /** Counts now. Linux only: see {@link io.nitinol.tck.check.Need#PROC}. */
  public static Resources now() {
    return new Resources(
        entries(PROC.resolve("task")),
        entries(PROC.resolve("fd")) - 1,
        lines("maps").size(),
        kilobytes("VmLck:") + kilobytes("VmPin:"));
  }

  /** Returns the bytes of the Java heap that are alive, after collecting what is not. */
  public static long liveHeap() {
    long least = Long.MAX_VALUE;
    // Objects that a cleaner has to free go with a later collection, so collect until one finds no
    // more.
    for (int i = 0, idle = 0; i < COLLECTIONS && idle < IDLE_COLLECTIONS; i++) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      long live = runtime.totalMemory() - runtime.freeMemory();
      idle = live < least - LITTLE ? 0 : idle + 1;
      least = Math.min(least, live);
      LockSupport.parkNanos(CLEANING);
    }
    return least;
  }

  /**
   * Waits until a figure is what it was when these were counted, or a little more.
   *
   * @return false: it is not, after as long as another thread may take to give back what was closed
   */
  public boolean awaitRestored(TestSession session, ToIntFunction<Resources> figure) {
    return awaitRestored(session, figure, SPARE);
  }

  /**
   * The same.
   *
   * @param spare how much more it may be, if that is more than for the JVM alone
   */
  public boolean awaitRestored(TestSession session, ToIntFunction<Resources> figure, int spare) {
    int most = figure.applyAsInt(this) + Math.max(SPARE, spare);
    return TestSession.within(session.patient(SETTLING), () -> figure.applyAsInt(now()) <= most);
  }

  /**
   * Returns the files of {@code /dev/shm} and of the directory for temporary files that were not
   * there before and belong to this process's user. Other processes make some, too.
   */
  public static Set<Path> filesBeside(Set<Path> before) {
    Set<Path> more = new HashSet<>();
    for (Path directory : FILES) {
      if (Files.isReadable(directory)) {
        try (Stream<Path> entries = Files.list(directory)) {
          entries.filter(each -> !before.contains(each) && isOwn(each)).forEach(more::add);
        } catch (IOException e) {
          throw new UncheckedIOException("cannot list " + directory, e);
        }
      }
    }
    return more;
  }

  private static boolean isOwn(Path file) {
    try {
      return Files.getOwner(file, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(PROC));
    } catch (IOException e) {
      return false; // it has gone meanwhile
    }
  }

  /** Frees what only garbage holds, such as memory outside the heap. */
  public static void collect() {
    liveHeap();
  }

  /**
   * Returns how many descriptors this process may have open; a large number if there is no limit.
   */
  public static long descriptorLimit() {
    for (String line : lines("limits")) {
      if (line.startsWith("Max open files")) {
        String soft = line.substring("Max open files".length()).strip().split("\\s+", -1)[0];
        return soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft);
      }
    }
    return Long.MAX_VALUE;
  }

  /** Returns a figure in KiB from the process's status; 0 where this kernel does not have it. */
  private static long kilobytes(String name) {
    for (String line : lines("status")) {
      if (line.startsWith(name)) {
        return Long.parseLong(line.substring(name.length()).strip().split("\\s+", -1)[0]);
      }
    }
    return 0;
  }

  private static List<String> lines(String file) {
    try {
      return Files.readAllLines(PROC.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + PROC.resolve(file), e);
    }
  }

  private static int entries(Path directory) {
    try (Stream<Path> entries = Files.list(directory)) {
      return (int) entries.count();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + directory, e);
    }
  }
}
