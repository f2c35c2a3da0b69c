// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.tuning;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.plugin.UnmetRequest;
import io.nitinol.spi.DataType;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.file.InputFile;
import io.nitinol.toolkit.file.OutputFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what was measured: for the life of the process, and in a file for those to come. The file
 * belongs to one kind of processor, Java release and kernel provider; any other is measured anew.
 */
public final class CostCache {
  private static final int MOST_BYTES = 4096;

  private static final Map<String, MachineCosts> MEASURED = new ConcurrentHashMap<>();

  private CostCache() {}

  /** Returns the costs of this machine with {@code kernels}, measuring them the first time. */
  public static MachineCosts costs(KernelProvider kernels, Settings settings, DebugLogger logger) {
    String key = key(kernels);
    return MEASURED.computeIfAbsent(key, k -> load(k, kernels, settings, logger));
  }

  private static MachineCosts load(
      String key, KernelProvider kernels, Settings settings, DebugLogger logger) {
    Path file = file(key, settings);
    if (file != null) {
      MachineCosts known = read(file, key, logger);
      if (known != null) {
        return known;
      }
    }
    MachineCosts measured = MachineProbe.measure(sum(kernels));
    logger.info(LogSubsystem.TUNING, "tuning", "measured " + measured + " for " + key);
    if (file != null) {
      String problem = write(file, key, measured);
      if (problem == null) {
        return measured;
      }
      if (settings.isSet(CoreVariables.COST_CACHE)) {
        UnmetRequest.report(settings, logger, CoreVariables.COST_CACHE, problem);
      } else {
        logger.info(LogSubsystem.TUNING, "tuning", problem); // a home that nobody can write
      }
    }
    return measured;
  }

  /** Returns the file; by itself each kind has its own, so that they do not displace each other. */
  private static @Nullable Path file(String key, Settings settings) {
    String named = settings.get(CoreVariables.COST_CACHE);
    if (named.equalsIgnoreCase("none")) {
      return null;
    }
    return named.isEmpty()
        ? Path.of(
            System.getProperty("user.home"),
            ".cache",
            "nitinol",
            "costs-" + Integer.toHexString(key.hashCode()))
        : Path.of(named);
  }

  static @Nullable MachineCosts read(Path file, String key, DebugLogger logger) {
    try {
      if (!Files.isRegularFile(file)) {
        return null;
      }
      List<String> lines =
          new String(InputFile.read(file, MOST_BYTES), StandardCharsets.UTF_8).lines().toList();
      if (lines.size() != 2 || !lines.getFirst().equals(key)) {
        return null;
      }
      String[] values = lines.getLast().split(" ", -1);
      if (values.length != 3) {
        return null;
      }
      return new MachineCosts(
          Double.parseDouble(values[0]),
          Double.parseDouble(values[1]),
          Double.parseDouble(values[2]));
    } catch (IOException | NumberFormatException e) {
      logger.info(LogSubsystem.TUNING, "tuning", file + " cannot be read, measuring again: " + e);
      return null;
    }
  }

  /** Writes the file, and returns what to say where it cannot; null where it could. */
  static @Nullable String write(Path file, String key, MachineCosts costs) {
    try {
      Path directory = file.toAbsolutePath().getParent();
      if (directory != null) {
        Files.createDirectories(directory);
      }
      OutputFile.write(
          file,
          ErrorText.of(
              "%s\n%s %s %s\n", key, costs.copyRate(), costs.reduceRate(), costs.signalMicros()));
      return null;
    } catch (IOException e) {
      return ErrorText.of(
          "%s (%s) cannot be written, so costs are measured at each start: %s",
          file, CoreVariables.COST_CACHE, e.getMessage());
    }
  }

  private static String key(KernelProvider kernels) {
    return "2 " + processor() + ", Java " + Runtime.version() + ", " + kernels.name();
  }

  private static String processor() {
    try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name") || line.startsWith("CPU part"))
          .findFirst()
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .orElse("unknown processor");
    } catch (IOException e) {
      return "unknown processor";
    }
  }

  /** Returns the reduction that stands for all when a machine is measured: the sum of binary32. */
  private static MachineProbe.Reduction sum(KernelProvider kernels) {
    ReduceFunction sum = kernels.function(DataType.FLOAT32, ReductionOp.SUM, 2);
    return (into, from, bytes) ->
        sum.reduce(into, 0, from, 0, into, 0, bytes / DataType.FLOAT32.size());
  }
}
