// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.launch;

import io.nitinol.core.bootstrap.BootstrapException;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.config.LaunchVariables;
import io.nitinol.core.log.Log;
import io.nitinol.core.shm.HostName;
import io.nitinol.core.shm.ProcessName;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.file.InputFile;
import io.nitinol.toolkit.file.OutputFile;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The file of {@code NITINOL_UNIQUE_ID_FILE}, by which rank 0 gives the unique id to the others.
 *
 * <p>Rank 0 removes it when its process ends, and a process that is killed leaves it. So behind the
 * id, on a line of its own, stands the process that wrote it. Where that one was a process of this
 * host and has ended, rank 0 of the next job replaces the file, and its other ranks wait for that.
 * Of a process of another host nobody here can tell; then the file is an error for rank 0, and the
 * others take what it holds, as they do where that line is missing. If they do not reach that root,
 * their error names the file and the process.
 */
@AnyThread
final class UniqueIdFile {
  /** An id is some hundred characters. */
  private static final int MOST_BYTES = 4096;

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** The id, the process that wrote it and the host of that process. */
  private static final Pattern WITH_WRITER =
      Pattern.compile("([^\n]*)\nwritten by " + ProcessName.PATTERN + " on (\\S+)\n");

  private static final int ID = 1;
  private static final int WRITER = 2;
  private static final int HOST = 5;

  private UniqueIdFile() {}

  /** Makes an id and writes the file, on rank 0. */
  static UniqueId write(Path path, Settings settings, DebugLogger log) {
    UniqueId id = UniqueId.create(settings, log);
    boolean written = false;
    try {
      create(path, content(id).getBytes(StandardCharsets.UTF_8), log);
      written = true;
    } catch (FileAlreadyExistsException e) {
      throw new BootstrapException(
          ResultCode.INVALID_USAGE,
          -1,
          ErrorText.of(
              "%s=%s: the file exists already, from an earlier job; remove it or name another",
              LaunchVariables.UNIQUE_ID_FILE, path),
          e);
    } catch (IOException e) {
      throw new BootstrapException(
          ResultCode.SYSTEM_ERROR,
          -1,
          ErrorText.of(
              "%s=%s: cannot write it: %s", LaunchVariables.UNIQUE_ID_FILE, path, e.getMessage()),
          e);
    } finally {
      if (!written) {
        id.close(); // no rank will ever come to its root
      }
    }
    path.toFile().deleteOnExit();
    return id;
  }

  private static void create(Path path, byte[] content, DebugLogger log) throws IOException {
    try {
      OutputFile.createSecret(path, content);
    } catch (FileAlreadyExistsException e) {
      if (!removeLeft(path, e)) {
        throw e;
      }
      log.info(
          LogSubsystem.BOOTSTRAP,
          "Rendezvous",
          ErrorText.of(
              "%s=%s: replaces the file of a process that has ended",
              LaunchVariables.UNIQUE_ID_FILE, path));
      OutputFile.createSecret(path, content); // another rank 0 may have been faster
    }
  }

  private static boolean removeLeft(Path path, FileAlreadyExistsException found) {
    try {
      return OutputFile.removeSecret(
          path,
          MOST_BYTES,
          content -> endedWriter(new String(content, StandardCharsets.UTF_8)) != null);
    } catch (IOException e) {
      found.addSuppressed(e); // as where the file system has no locks: it stays
      return false;
    }
  }

  /** Reads the file of a job that runs, for a process that has no rank in it. */
  static UniqueId readNow(Path path) {
    try {
      return parse(
          path, new String(InputFile.readSecret(path, MOST_BYTES), StandardCharsets.UTF_8));
    } catch (NoSuchFileException e) {
      throw new BootstrapException(
          ResultCode.INVALID_USAGE,
          -1,
          ErrorText.of(
              "%s=%s: there is no such file; expected the one that rank 0 of the job has written",
              LaunchVariables.UNIQUE_ID_FILE, path),
          e);
    } catch (IOException e) {
      throw unreadable(path, e);
    } catch (BootstrapException e) {
      throw new BootstrapException(
          e.result(),
          -1,
          ErrorText.of("%s=%s: %s", LaunchVariables.UNIQUE_ID_FILE, path, e.getMessage()),
          e);
    }
  }

  private static BootstrapException unreadable(Path path, IOException cause) {
    return new BootstrapException(
        ResultCode.SYSTEM_ERROR,
        -1,
        ErrorText.of(
            "%s=%s: cannot read it: %s", LaunchVariables.UNIQUE_ID_FILE, path, cause.getMessage()),
        cause);
  }

  /** Waits for the file, and for another one where a process that has ended left it. */
  static UniqueId read(Path path, Settings settings, DebugLogger log) {
    int seconds = settings.get(CoreVariables.BOOTSTRAP_TIMEOUT);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    boolean told = false;
    while (true) {
      String missing;
      try {
        String content = new String(InputFile.readSecret(path, MOST_BYTES), StandardCharsets.UTF_8);
        ProcessName left = endedWriter(content);
        if (left == null) {
          return parse(path, content);
        }
        missing =
            ErrorText.of(
                "process %d, which wrote it, has ended, and rank 0 of this job has not replaced it",
                left.pid());
        if (!told) {
          told = true;
          Log.tell(
              log,
              "Rendezvous",
              ErrorText.of(
                  "%s=%s: %s yet; waiting for %d s at most (%s)",
                  LaunchVariables.UNIQUE_ID_FILE,
                  path,
                  missing,
                  seconds,
                  CoreVariables.BOOTSTRAP_TIMEOUT));
        }
      } catch (NoSuchFileException e) {
        missing = "rank 0 has not written it";
      } catch (IOException e) {
        throw unreadable(path, e);
      }
      if (System.nanoTime() - deadline > 0) {
        throw new BootstrapException(
            ResultCode.TIMEOUT,
            0,
            ErrorText.of(
                "%s=%s: %s within %d s (%s)",
                LaunchVariables.UNIQUE_ID_FILE,
                path,
                missing,
                seconds,
                CoreVariables.BOOTSTRAP_TIMEOUT),
            null);
      }
      if (Thread.currentThread().isInterrupted()) {
        throw new BootstrapException(
            ResultCode.SYSTEM_ERROR,
            ErrorText.of(
                "interrupted while waiting for rank 0 to write %s=%s",
                LaunchVariables.UNIQUE_ID_FILE, path));
      }
      // A shared file system does not notify of a file that has come.
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  /** Reads the id; its errors are to tell a user which file an earlier job may have left. */
  private static UniqueId parse(Path path, String content) {
    Matcher matcher = WITH_WRITER.matcher(content);
    if (!matcher.matches()) {
      return UniqueId.parse(content)
          .withNote(ErrorText.of("the id comes from %s=%s", LaunchVariables.UNIQUE_ID_FILE, path));
    }
    String host = matcher.group(HOST);
    return UniqueId.parse(matcher.group(ID))
        .withNote(
            ErrorText.of(
                "the id comes from %s=%s, which process %s of host %s wrote; if an earlier job left"
                    + " that file, remove it",
                LaunchVariables.UNIQUE_ID_FILE,
                path,
                matcher.group(WRITER),
                host.replaceFirst("/.*", "")));
  }

  private static String content(UniqueId id) {
    ProcessName self = ProcessName.self();
    String host = HostName.self();
    return self == null || host == null
        ? id.toString()
        : id + "\nwritten by " + self + " on " + host + "\n";
  }

  /** Returns the process that wrote the file, if it has certainly ended; else null. */
  private static @Nullable ProcessName endedWriter(String content) {
    Matcher matcher = WITH_WRITER.matcher(content);
    ProcessName self = ProcessName.self();
    if (self == null || !matcher.matches() || !matcher.group(HOST).equals(HostName.self())) {
      return null;
    }
    ProcessName writer = ProcessName.of(matcher.toMatchResult(), WRITER);
    try {
      return writer.hasEnded(self) ? writer : null;
    } catch (IOException e) {
      return null; // it cannot be told
    }
  }
}
