// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.shm;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.UserPrincipal;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The directory in which processes of this host meet by files of memory; {@code NITINOL_SHM_DIR},
 * by default {@code /dev/shm}.
 *
 * <p>A file's name tells which process has made it, so that one left by a process that was killed
 * in the short time in which files have names is recognised and removed by the next that makes one.
 */
@AnyThread
public final class ShmDirectory {
  private static final @Nullable ProcessName SELF = ProcessName.self();
  private static final String PREFIX = "nitinol-";
  private static final Pattern NAME =
      Pattern.compile(PREFIX + ProcessName.PATTERN + "-[0-9a-f]{16}");

  /** How many names a look for leftovers goes through: anybody may fill the directory with them. */
  static final int MOST_NAMES = 4096;

  /** How often leftovers are looked for at most: many files may be made at once. */
  private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Path path;
  private final DebugLogger logger;
  private final AtomicLong nextSweep = new AtomicLong(System.nanoTime());

  /**
   * Names a directory, which is used only when the first file is made.
   *
   * @param logger is told what was removed, and what could not be
   */
  public ShmDirectory(Path path, DebugLogger logger) {
    this.path = path.toAbsolutePath();
    this.logger = logger;
  }

  /** Returns the directory that {@code settings} name. */
  public static ShmDirectory of(Settings settings, DebugLogger logger) {
    String name = settings.get(CoreVariables.SHM_DIR).strip();
    try {
      return new ShmDirectory(Path.of(name), logger);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(
          ErrorText.of(
              "%s=%s (from %s) is not a path: %s",
              CoreVariables.SHM_DIR, name, settings.source(CoreVariables.SHM_DIR), e.getMessage()),
          e);
    }
  }

  /** Returns where it is. */
  public Path path() {
    return path;
  }

  /**
   * Returns a number that is the same for all processes that see this directory and not another one
   * of the same name, as containers may have; 0 where there is no such directory.
   */
  public long identity() {
    try {
      Map<String, Object> found = Files.readAttributes(path, "unix:dev,ino");
      long device = ((Number) found.getOrDefault("dev", 0L)).longValue();
      long inode = ((Number) found.getOrDefault("ino", 0L)).longValue();
      long mixed = (device * 0x9E3779B97F4A7C15L) ^ Long.rotateLeft(inode + 1, 32);
      return mixed == 0 ? 1 : mixed;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return 0;
    }
  }

  /** Returns a name for a new file. */
  static String newName(long number) {
    String process = SELF == null ? "0-0-0" : SELF.toString();
    return PREFIX + process + "-" + String.format("%016x", number);
  }

  /** Returns whether a file may have been called {@code name} by {@link #newName}. */
  static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  /** Returns the user that this process acts for, as the owner of files; null if unknown. */
  static @Nullable UserPrincipal user() {
    try {
      return Files.getOwner(Path.of("/proc/self"));
    } catch (IOException | UnsupportedOperationException e) {
      return null;
    }
  }

  /** Removes files of dead processes, unless that was done just before. */
  void sweepAtTimes() {
    long due = nextSweep.get();
    long now = System.nanoTime();
    if (now - due >= 0 && nextSweep.compareAndSet(due, now + SWEEP_NANOS)) {
      sweep();
    }
  }

  /**
   * Removes the files of this user's processes that ended before they could, as far as they are
   * among the first {@value #MOST_NAMES} names.
   */
  public void sweep() {
    ProcessName self = SELF;
    UserPrincipal user = user();
    if (self == null || user == null) {
      return; // no way to tell what is left over
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
      int looked = 0;
      for (Path entry : entries) {
        if (++looked > MOST_NAMES) {
          logger.info(
              LogSubsystem.SHM,
              "ShmDirectory",
              "looked for leftovers among " + MOST_NAMES + " names in " + path + " only");
          return;
        }
        Matcher name = NAME.matcher(String.valueOf(entry.getFileName()));
        if (name.matches() && isFileOf(entry, user)) {
          removeIfLeft(entry, ProcessName.of(name, 1), self);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      logger.warn("ShmDirectory", "cannot look for leftovers in " + path + ": " + e);
    }
  }

  private static boolean isFileOf(Path entry, UserPrincipal user) throws IOException {
    try {
      PosixFileAttributes found =
          Files.readAttributes(entry, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return found.isRegularFile() && found.owner().equals(user);
    } catch (NoSuchFileException e) {
      return false; // it has lost its name meanwhile, as it should
    }
  }

  private void removeIfLeft(Path entry, ProcessName process, ProcessName self) {
    try {
      if (process.hasEnded(self) && Files.deleteIfExists(entry)) {
        logger.info(
            LogSubsystem.SHM,
            "ShmDirectory",
            "removed " + entry + ", which the ended process " + process.pid() + " has left");
      }
    } catch (IOException e) {
      cannotRemove(entry, e);
    }
  }

  /** Says so: the file stays until its process ends and the next one sweeps. */
  void cannotRemove(Path entry, IOException e) {
    logger.warn("ShmDirectory", "cannot remove " + entry + ": " + e);
  }

  /**
   * Returns why there is no room for memory that several ranks ask for, and what may help.
   *
   * @param bytes what the rank asks for that is not served
   * @param all what all ask for together
   */
  public String withoutRoom(long bytes, long all) {
    return FileRegion.sentence(
        this,
        bytes,
        new IOException(
            ErrorText.of("No space left on device for the %d bytes of all ranks together", all)));
  }

  /** Returns how many bytes can be had; as many as there are numbers where that is not known. */
  public long usable() {
    try {
      return Files.getFileStore(path).getUsableSpace();
    } catch (IOException e) {
      return Long.MAX_VALUE; // the attempt to use it tells
    }
  }

  /** Returns how much room there is, for an error message. */
  String room() {
    try {
      FileStore store = Files.getFileStore(path);
      return store.getUsableSpace() + " bytes free of " + store.getTotalSpace();
    } catch (IOException e) {
      return "room unknown: " + ErrorText.reason(e);
    }
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
