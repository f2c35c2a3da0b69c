// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** Files that are not regular ones, made in a test's own directory, and never the machine's own. */
public final class SpecialFiles {
  /** A user whom nobody is. */
  public static final int STRANGER = 54_321;

  private SpecialFiles() {}

  /** Makes a device of the numbers of {@code /dev/full}, where the system lets this user do so. */
  public static Path full(Path path) throws IOException, InterruptedException {
    return device(path, 7);
  }

  /** Makes a device of the numbers of {@code /dev/null}, where the system lets this user do so. */
  public static Path nowhere(Path path) throws IOException, InterruptedException {
    return device(path, 3);
  }

  /** Makes a device of the numbers of {@code /dev/zero}, where the system lets this user do so. */
  public static Path zeros(Path path) throws IOException, InterruptedException {
    return device(path, 5);
  }

  private static Path device(Path path, int minor) throws IOException, InterruptedException {
    boolean made = run("mknod", path.toString(), "c", "1", Integer.toString(minor));
    assumeTrue(made, "skipped: only root can make devices, and not in every container");
    try {
      Files.newByteChannel(path, StandardOpenOption.READ).close();
    } catch (IOException e) {
      assumeTrue(false, "skipped: this file system has no devices: " + e);
    }
    return path;
  }

  /** Makes a named pipe. */
  public static Path pipe(Path path) throws IOException, InterruptedException {
    assumeTrue(run("mkfifo", path.toString()), "skipped: this file system has no named pipes");
    return path;
  }

  /** Gives a file away to {@link #STRANGER}, where the system lets this user do so. */
  public static Path giveAway(Path path) {
    try {
      Files.setAttribute(path, "unix:uid", STRANGER, LinkOption.NOFOLLOW_LINKS);
    } catch (IOException e) {
      assumeTrue(false, "skipped: only root can give files away: " + e);
    }
    return path;
  }

  /** Gives a directory to a group that nobody is in, where the system lets this user do so. */
  public static Path giveToGroup(Path path) {
    try {
      Files.setAttribute(path, "unix:gid", STRANGER);
    } catch (IOException e) {
      assumeTrue(false, "skipped: only root can give files to any group: " + e);
    }
    return path;
  }

  /** Makes a directory of this mode, whatever the umask is. */
  public static Path directory(Path path, int mode) throws IOException {
    Files.createDirectory(path);
    Files.setAttribute(path, "unix:mode", mode);
    return path;
  }

  /** Returns {@code st_mode} of a path, of a link its own. */
  public static int mode(Path path) throws IOException {
    return (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
  }

  /** Returns whether a device of characters stands at a path. */
  public static boolean isDevice(Path path) throws IOException {
    return (mode(path) & 0170000) == 0020000;
  }

  /** Returns whether a pipe stands at a path. */
  public static boolean isPipe(Path path) throws IOException {
    return (mode(path) & 0170000) == 0010000;
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      throw new IOException("cannot run " + Arrays.toString(command), e);
    }
  }
}
