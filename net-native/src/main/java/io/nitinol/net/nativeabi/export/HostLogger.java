// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.core.log.Log;
import io.nitinol.net.nativeabi.export.ffi.HostFunctions;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * NCCL's log, {@code ncclDebugLogger_t}, which every init passes on. NCCL decides what it writes.
 * Of lines at TRACE, which can be many, those are made that {@code NCCL_DEBUG} asks for. Before the
 * first init, lines go to the log of this process.
 */
final class HostLogger implements DebugLogger {
  private final Map<String, MemorySegment> locations = new ConcurrentHashMap<>();
  private volatile MemorySegment function = MemorySegment.NULL;

  /** Writes to {@code logger}, an {@code ncclDebugLogger_t}, from now on; 0 changes nothing. */
  void use(long logger) {
    if (logger != 0) {
      function = MemorySegment.ofAddress(logger);
    }
  }

  @Override
  public boolean isEnabled(LogLevel level, long subsystems) {
    return level == LogLevel.WARN
        || (level == LogLevel.INFO && function.address() != 0)
        || Log.process().isEnabled(level, subsystems);
  }

  @Override
  public void log(LogLevel level, long subsystems, String location, int line, String message) {
    MemorySegment host = function;
    if (level == LogLevel.NONE || !isEnabled(level, subsystems)) {
      return;
    }
    if (host.address() == 0) {
      Log.process().log(level, subsystems, location, line, message);
      return;
    }
    MemorySegment place =
        locations.computeIfAbsent(
            location, text -> MemorySegment.ofAddress(NcclMemory.string(text)));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocateFrom(message, StandardCharsets.UTF_8);
      HostFunctions.log(host, level.code(), subsystems, place, line, text);
    }
  }
}
