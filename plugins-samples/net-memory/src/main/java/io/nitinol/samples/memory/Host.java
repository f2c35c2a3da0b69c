// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The facts of the machine that one instance of the plugin needs: where files go, which process it
 * is, and which others it watches. Safe for any thread.
 */
final class Host {
  static final String NAME = "SampleMemory";

  private static final List<String> CANDIDATES =
      List.of("/dev/shm", System.getProperty("java.io.tmpdir"));

  /** What a directory must have free: in a container /dev/shm may be far too small. */
  private static final long ENOUGH = 128L << 20;

  final DebugLogger logger;
  final ProcessId self;

  /** Where listeners make their directories. */
  final Path directory;

  private final Map<ProcessId, ProcessWatch> watches = new HashMap<>();

  private Host(DebugLogger logger, ProcessId self, Path directory) {
    this.logger = logger;
    this.self = self;
    this.directory = directory;
  }

  /** Looks around; null where this is no Linux or there is no room for files (NET-INIT-03). */
  static @Nullable Host find(DebugLogger logger) {
    if (!Files.exists(Path.of("/proc/self/stat"))) {
      logger.info(LogSubsystem.NET, NAME, "has no devices: there is no /proc as Linux has it");
      return null;
    }
    try {
      Path directory = roomyDirectory();
      if (directory == null) {
        logger.info(
            LogSubsystem.NET,
            NAME,
            "has no devices: none of " + CANDIDATES + " has " + ENOUGH + " bytes free to write");
        return null;
      }
      Host host = new Host(logger, ProcessId.self(), directory);
      ListenDirectory.removeLeftOnes(host);
      logger.info(LogSubsystem.NET, NAME, "uses files in " + directory);
      return host;
    } catch (IOException e) {
      throw MemoryFailures.system("cannot look for processes and room for files", e); // NET-INIT-02
    }
  }

  private static @Nullable Path roomyDirectory() throws IOException {
    for (String name : CANDIDATES) {
      Path candidate = Path.of(name).toAbsolutePath();
      if (Files.isDirectory(candidate) && Files.isWritable(candidate)) {
        Path real = candidate.toRealPath();
        if (real.toString().getBytes(StandardCharsets.UTF_8).length
                <= MemoryListenHandle.DIRECTORY_SIZE
            && Files.getFileStore(real).getUsableSpace() >= ENOUGH) {
          return real;
        }
      }
    }
    return null;
  }

  /** Starts to watch a process, until {@link #release}. */
  ProcessWatch watch(ProcessId process) throws IOException {
    synchronized (watches) {
      ProcessWatch watch = watches.get(process);
      if (watch == null) {
        watch = process.equals(self) ? ProcessWatch.ofSelf(self) : ProcessWatch.of(process);
        watches.put(process, watch);
      }
      watch.use();
      return watch;
    }
  }

  void release(ProcessWatch watch) {
    synchronized (watches) {
      try {
        if (watch.disuse()) {
          watches.remove(watch.process);
        }
      } catch (IOException e) {
        watches.remove(watch.process);
        warn("could not close " + watch.process.statFile() + ": " + e);
      }
    }
  }

  void warn(String message) {
    logger.warn(NAME, message);
  }
}
