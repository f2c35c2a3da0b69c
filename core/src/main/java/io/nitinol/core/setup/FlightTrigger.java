// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.plugin.UnmetRequest;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the file of {@code NITINOL_FLIGHT_RECORDER_TRIGGER} twice a second, and has all
 * communicators of this process write their flight recorders' files when it appears or is touched.
 * One daemon thread for each such path in the process, and none where the variable is not set. A
 * look at a time stamp works on every file system, also on one that several hosts share.
 */
@AnyThread
final class FlightTrigger {
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final Set<Path> WATCHED = ConcurrentHashMap.newKeySet();

  private FlightTrigger() {}

  /** Begins to look, unless this process does so already. */
  static void watch(Settings settings, DebugLogger logger) {
    String named = settings.get(CoreVariables.FLIGHT_RECORDER_TRIGGER);
    if (named.isEmpty()) {
      return;
    }
    try {
      Path path = Path.of(named).toAbsolutePath();
      if (WATCHED.add(path)) {
        FileTime before = touched(path);
        Thread.ofPlatform().daemon().name("nitinol-flight-trigger").start(() -> look(path, before));
      }
    } catch (InvalidPathException e) {
      UnmetRequest.report(
          settings,
          logger,
          CoreVariables.FLIGHT_RECORDER_TRIGGER,
          ErrorText.of(
              "%s=%s is no path: %s",
              CoreVariables.FLIGHT_RECORDER_TRIGGER, named, ErrorText.reason(e)));
    }
  }

  private static void look(Path path, @Nullable FileTime before) {
    FileTime known = before;
    while (true) {
      LockSupport.parkNanos(LOOK_NANOS);
      FileTime now = touched(path);
      if (now != null && !now.equals(known)) {
        EngineDump.writeFlightFiles();
      }
      known = now;
    }
  }

  private static @Nullable FileTime touched(Path path) {
    try {
      return Files.getLastModifiedTime(path);
    } catch (IOException e) {
      return null; // not there, or not to be seen
    }
  }
}
