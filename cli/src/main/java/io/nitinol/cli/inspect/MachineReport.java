// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.inspect;

import io.nitinol.cli.command.CommandVersion;
import io.nitinol.cli.ffi.LibraryProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Describes the machine: processor, memory, limits, libraries and their devices. */
final class MachineReport {
  private static final double GIB = 1L << 30;

  /** A library, a function of it, and what it is good for. */
  private record Library(String title, String file, String symbol) {}

  private static final List<Library> LIBRARIES =
      List.of(
          new Library("RDMA verbs", "libibverbs.so.1", "ibv_get_device_list"),
          new Library("CUDA driver", "libcuda.so.1", "cuInit"),
          new Library("libfabric", "libfabric.so.1", "fi_getinfo"));

  private MachineReport() {}

  static void describe(TextTable table) {
    table.row("java", CommandVersion.platform());
    table.row("java home", System.getProperty("java.home", ""));
    table.row("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    table.row("memory", memory());
    table.row("open files", limit("Max open files"));
    table.row("locked memory", limit("Max locked memory"));
    table.row("shared memory", sharedMemory());
    for (Library library : LIBRARIES) {
      boolean present = LibraryProbe.isPresent(library.file(), library.symbol());
      table.row(library.title(), library.file() + (present ? " found" : " not found"));
    }
    table.row("RDMA devices", entries(Path.of("/sys/class/infiniband")));
    table.row("NVIDIA GPUs", entries(Path.of("/proc/driver/nvidia/gpus")));
  }

  private static String memory() {
    return "%s, free %s"
        .formatted(
            firstLine("/proc/meminfo", "MemTotal:"), firstLine("/proc/meminfo", "MemAvailable:"));
  }

  /** Returns a soft and hard limit of this process. */
  private static String limit(String name) {
    String[] words = firstLine("/proc/self/limits", name).split("\\s+", -1);
    return words.length < 2
        ? "not known"
        : words[0] + " (at most " + words[1] + (words.length > 2 ? " " + words[2] : "") + ")";
  }

  /** Returns what follows {@code name} in the line of {@code file} that begins with it. */
  private static String firstLine(String file, String name) {
    try {
      for (String line : Files.readAllLines(Path.of(file))) {
        if (line.startsWith(name)) {
          return line.substring(name.length()).strip();
        }
      }
      return "not known";
    } catch (IOException e) {
      return "not known: " + e;
    }
  }

  private static String sharedMemory() {
    Path shm = Path.of("/dev/shm");
    try {
      var store = Files.getFileStore(shm);
      return String.format(
          Locale.ROOT,
          "%s: %.1f GiB, %.1f GiB free",
          shm,
          store.getTotalSpace() / GIB,
          store.getUsableSpace() / GIB);
    } catch (IOException e) {
      return shm + " not usable: " + e;
    }
  }

  private static String entries(Path directory) {
    if (!Files.isDirectory(directory)) {
      return "none";
    }
    try (Stream<Path> entries = Files.list(directory)) {
      String names =
          entries.map(e -> e.getFileName().toString()).sorted().collect(Collectors.joining(", "));
      return names.isEmpty() ? "none" : names;
    } catch (IOException e) {
      return "not readable: " + e;
    }
  }
}
