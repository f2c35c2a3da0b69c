// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.spi.device.v1.DeviceMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Memory of teams whose ranks are in several processes, kept for later teams and never freed.
 *
 * <p>A team closes without asking the others, so another process may have this rank's memory open
 * when the team is closed here, and may be gone before it says that it has closed it. To free
 * memory that is open elsewhere is undefined in CUDA. To use it again is not: the ranks of the old
 * team launch nothing any more (DEVTEAM-20), and a process that opens the memory once more gets the
 * same. So a process keeps as much of it as its teams have had at the same time; its end frees it.
 *
 * <p>Any thread.
 */
final class KeptMemory {
  private final List<DeviceMemory> idle = new ArrayList<>();

  /** Takes the smallest piece of at least a size that nobody uses, or else allocates one. */
  DeviceMemory take(long size, LongFunction<DeviceMemory> allocate) {
    DeviceMemory kept = smallest(size);
    return kept != null ? kept : allocate.apply(size);
  }

  private synchronized @Nullable DeviceMemory smallest(long size) {
    DeviceMemory best = null;
    for (DeviceMemory memory : idle) {
      if (memory.size() >= size && (best == null || memory.size() < best.size())) {
        best = memory;
      }
    }
    if (best != null) {
      idle.remove(best);
    }
    return best;
  }

  /** Keeps a piece that a team has used. */
  synchronized void giveBack(DeviceMemory memory) {
    idle.add(memory);
  }
}
