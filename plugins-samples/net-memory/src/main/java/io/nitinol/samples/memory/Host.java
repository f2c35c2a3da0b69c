// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What one instance of the plugin knows about the machine: where files go, which process it is, and
 * which others it watches. Safe for any thread.
 */
final class Host {
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

  /** Looks around; fails where this is no Linux or there is no room for files (NET-INIT-03). */
  static Host find(DebugLogger logger) throws IOException {
    Host host = new Host(logger, ProcessId.self(), roomyDirectory());
    ListenDirectory.removeLeftOnes(host);
    return host;
  }

  private static Path roomyDirectory() throws IOException {
    List<Path> candidates =
        List.of(
            Path.of("/dev/shm"), Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath());
    for (Path candidate : candidates) {
      int length = candidate.toString().getBytes(StandardCharsets.UTF_8).length;
      if (Files.isDirectory(candidate)
          && Files.isWritable(candidate)
          && length <= ListenHandle.DIRECTORY_SIZE) {
        FileStore store = Files.getFileStore(candidate);
        if (store.getUsableSpace() >= ENOUGH) {
          return candidate.toRealPath();
        }
      }
    }
    throw new IOException(
        "none of " + candidates + " is a directory with " + ENOUGH + " bytes free");
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
    logger.warn("SampleMemory", message);
  }

  void info(LogSubsystem subsystem, String message) {
    logger.info(subsystem, "SampleMemory", message);
  }
}
