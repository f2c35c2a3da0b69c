// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.near;

import io.nitinol.core.config.TopologyVariables;
import io.nitinol.core.topology.near.ffi.AffinityLibrary;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.file.KernelFiles;
import io.nitinol.toolkit.file.ProcessorList;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Starts the threads of a rank on the processors near its GPU. A thread inherits what the one that
 * starts it is bound to, so the calling thread is bound while it starts them, and as before
 * afterwards: as {@code ncclTopoGetCpuAffinity} is used in NCCL.
 */
public final class NearThreads {
  private static final String WHERE = "NearThreads";

  /** Room for 8192 processors; the kernel refuses less than it has. */
  private static final int MASK_BYTES = 1024;

  private static final @Nullable AffinityLibrary LIBRARY = AffinityLibrary.load();

  private NearThreads() {}

  /**
   * Starts threads.
   *
   * @param busId the GPU's address on the PCI bus; null for none, then threads may run where the
   *     calling one does
   * @param settings where {@code NCCL_IGNORE_CPU_AFFINITY} is read
   * @param start starts them, on the calling thread, and no others
   */
  public static void start(
      @Nullable String busId, Settings settings, DebugLogger logger, Runnable start) {
    AffinityLibrary library = LIBRARY;
    BitSet near = busId == null ? new BitSet() : near(busId);
    // A virtual thread would bind the thread that carries it, and might go on by another one.
    if (near.isEmpty() || library == null || Thread.currentThread().isVirtual()) {
      start.run();
    } else {
      start(library, near, settings.get(TopologyVariables.IGNORE_CPU_AFFINITY), logger, start);
    }
  }

  /**
   * Starts threads on some processors; on those of them that the calling thread may use, unless
   * that is to be ignored.
   */
  static void start(
      AffinityLibrary library, BitSet near, boolean ignoreOwn, DebugLogger logger, Runnable start) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment before = arena.allocate(MASK_BYTES);
      if (get(library, before) < 0) {
        start.run();
        return;
      }
      BitSet own = BitSet.valueOf(before.toArray(ValueLayout.JAVA_BYTE));
      BitSet wanted = (BitSet) near.clone();
      if (!ignoreOwn) {
        wanted.and(own);
      }
      if (wanted.isEmpty() || wanted.equals(own)) {
        start.run();
        return;
      }
      MemorySegment mask = arena.allocate(MASK_BYTES);
      byte[] bits = wanted.toByteArray();
      MemorySegment.copy(bits, 0, mask, ValueLayout.JAVA_BYTE, 0, bits.length);
      boolean bound = set(library, mask) == 0;
      logger.info(
          LogSubsystem.INIT,
          WHERE,
          ErrorText.of(
              bound
                  ? "threads are bound to processors %s"
                  : "the system does not bind threads to processors %s",
              wanted));
      try {
        start.run();
      } finally {
        if (bound && set(library, before) != 0) {
          logger.warn(
              WHERE,
              ErrorText.of("the calling thread stays bound to processors %s, not %s", wanted, own));
        }
      }
    }
  }

  /** Returns the processors near a device; none where the machine does not tell. */
  private static BitSet near(String busId) {
    try {
      String list =
          KernelFiles.OF_THIS_MACHINE.text("/sys/bus/pci/devices/" + busId + "/local_cpulist");
      return list == null ? new BitSet() : ProcessorList.of(list);
    } catch (IOException e) {
      return new BitSet(); // hidden from this container
    }
  }

  @SuppressWarnings("IllegalCatch") // a method handle is declared to throw anything
  private static int get(AffinityLibrary library, MemorySegment mask) {
    try {
      return library.get(mask);
    } catch (Throwable e) {
      throw new AssertionError("sched_getaffinity", e);
    }
  }

  @SuppressWarnings("IllegalCatch") // as above
  private static int set(AffinityLibrary library, MemorySegment mask) {
    try {
      return library.set(mask);
    } catch (Throwable e) {
      throw new AssertionError("sched_setaffinity", e);
    }
  }
}
