// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.device;

import io.nitinol.core.DeviceBuffer;
import io.nitinol.core.DeviceCommunicator;
import io.nitinol.core.DeviceWindow;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceStream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A session's memory, with the windows over it. It keeps what it has made of the segments and
 * arrays of an operation, since the operation runs many times.
 */
final class SessionMemory {
  /** More than the operations of some rows; then those of earlier rows make room. */
  private static final int MOST_KEPT = 4096;

  /** Core promises that streams come free within 10 s of a failure. */
  private static final long FREE_NANOS = TimeUnit.SECONDS.toNanos(15);

  private final DeviceCommunicator communicator;
  private final DeviceStream stream;
  private final boolean registers;
  private final List<MirroredMemory> memories = new ArrayList<>();
  private final List<DeviceWindow> windows = new ArrayList<>();
  private final IdentityHashMap<MemorySegment, DeviceBuffer> buffers = new IdentityHashMap<>();
  private final IdentityHashMap<long[], Runnable> exchanges = new IdentityHashMap<>();

  /**
   * @param registers whether all memory is registered, so that operations use it in place
   */
  SessionMemory(DeviceCommunicator communicator, DeviceStream stream, boolean registers) {
    this.communicator = communicator;
    this.stream = stream;
    this.registers = registers;
  }

  /**
   * Allocates memory; all ranks do so together.
   *
   * @return the host's half
   */
  MemorySegment allocate(long bytes) {
    MirroredMemory memory = MirroredMemory.allocate(communicator.device(), bytes);
    memories.add(memory);
    if (registers) {
      windows.add(communicator.register(memory.buffer()));
    }
    return memory.host();
  }

  /** Returns the memory of which {@code slice} is a part. */
  MirroredMemory holder(MemorySegment slice) {
    for (MirroredMemory memory : memories) {
      if (memory.holds(slice)) {
        return memory;
      }
    }
    throw new IllegalArgumentException("not a part of this session's memory: " + slice);
  }

  /** Returns the device's half of {@code slice}; the same object for the same one. */
  DeviceBuffer of(MemorySegment slice) {
    DeviceBuffer known = buffers.get(slice);
    if (known != null) {
      return known;
    }
    if (buffers.size() >= MOST_KEPT) {
      buffers.clear();
    }
    DeviceBuffer buffer = holder(slice).of(slice);
    buffers.put(slice, buffer);
    return buffer;
  }

  /**
   * Returns the transfers that were kept for an operation, or null.
   *
   * @param key the same object each time that the operation runs
   */
  @Nullable Runnable exchange(long[] key) {
    return exchanges.get(key);
  }

  /** Keeps the transfers of an operation. */
  void keep(long[] key, Runnable transfers) {
    if (exchanges.size() >= MOST_KEPT) {
      exchanges.clear();
    }
    exchanges.put(key, transfers);
  }

  /** Closes the windows, which all ranks do together unless one has failed. */
  void closeWindows() {
    windows.forEach(DeviceWindow::close);
  }

  /**
   * Closes the stream and frees the memory, once the communicator is closed. A stream that is busy
   * even then stays for the life of the process, with all that it uses.
   */
  void closeWithStream() {
    if (isFree()) {
      try {
        stream.close();
      } finally {
        memories.forEach(MirroredMemory::close);
      }
    }
  }

  private boolean isFree() {
    try {
      return stream.synchronize(FREE_NANOS);
    } catch (DeviceException e) {
      return true; // its work has ended, with a failure that a call has reported before
    }
  }
}
