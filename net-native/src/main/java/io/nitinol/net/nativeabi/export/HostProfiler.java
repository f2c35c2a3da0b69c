// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.net.nativeabi.export.ffi.HostFunctions;
import io.nitinol.spi.net.NetProfiler;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** NCCL's profiler, {@code ncclProfilerCallback_t}. A failure of it costs the event only. */
final class HostProfiler implements NetProfiler {
  private final MemorySegment function;

  private HostProfiler(MemorySegment function) {
    this.function = function;
  }

  /** Returns the profiler at an address, or null for none. */
  static @Nullable NetProfiler of(long address) {
    return address == 0 ? null : new HostProfiler(MemorySegment.ofAddress(address));
  }

  @Override
  public long record(
      int type, long event, long parent, long pluginId, @Nullable MemorySegment data) {
    if ((type == START ? parent : event) == 0) {
      return 0; // NCCL reads what the handle points to
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment handle = arena.allocateFrom(ValueLayout.JAVA_LONG, event);
      MemorySegment structure = MemorySegment.NULL;
      if (data != null) {
        structure =
            data.isNative() ? data : arena.allocate(data.byteSize(), Long.BYTES).copyFrom(data);
      }
      int code = HostFunctions.profile(function, handle, type, parent, pluginId, structure);
      return type == START && code == 0 ? handle.get(ValueLayout.JAVA_LONG, 0) : 0;
    }
  }
}
