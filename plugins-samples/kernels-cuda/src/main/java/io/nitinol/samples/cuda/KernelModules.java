// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.spi.DataType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The kernels of one context, each module loaded at most once. To load one may wait for kernels
 * that run, and these for a rank that the loading thread has yet to launch: so a launch never
 * loads. The kernels within a device are loaded before its first stream is made, and those of teams
 * before its first team is, all types of them, for nobody says in advance which types will be used.
 *
 * <p>Any thread. What returns functions takes no lock, so a virtual thread may call it while its
 * carrier is in a context.
 */
final class KernelModules {
  private static final int MOST_LOADERS = 16;

  /** A module without a type is in place 0, one of a type behind its code. */
  private static final int PLACES = 1 + DataType.values().length;

  /** The threads that load, for all devices; they end when there is nothing to load. */
  private static final ThreadPoolExecutor LOADERS = loaders();

  /** Loads a module: a {@link ModuleLoader}, but in tests. */
  @FunctionalInterface
  interface Loader {
    /** Returns the functions of a module. */
    MemorySegment[] load(KernelFamily family, @Nullable DataType type);
  }

  private final Loader loader;

  /** The functions of a module, by family and place; null until it is loaded. */
  private final AtomicReferenceArray<MemorySegment @Nullable []> loaded =
      new AtomicReferenceArray<>(KernelFamily.values().length * PLACES);

  /** Held by the one thread that has modules loaded; the others wait for what it brings. */
  private final ReentrantLock loading = new ReentrantLock();

  KernelModules(Loader loader) {
    this.loader = loader;
  }

  private static ThreadPoolExecutor loaders() {
    int threads = Math.min(MOST_LOADERS, Runtime.getRuntime().availableProcessors());
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("cuda-load-", 0).factory());
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private static int index(KernelFamily family, @Nullable DataType type) {
    return family.ordinal() * PLACES + (type == null ? 0 : 1 + type.code());
  }

  /**
   * Returns a kernel that reduces.
   *
   * @throws io.nitinol.spi.device.v1.DeviceException with INVALID_STATE where it is not loaded
   */
  MemorySegment reduction(KernelFamily family, DataType type, int operator) {
    return functions(family, type)[operator];
  }

  /** Returns a kernel that moves, by its place in {@link KernelFamily#moves}; likewise. */
  MemorySegment move(KernelFamily family, int place) {
    return functions(family, null)[place];
  }

  private MemorySegment[] functions(KernelFamily family, @Nullable DataType type) {
    MemorySegment[] functions = loaded.get(index(family, type));
    if (functions == null) {
      throw CudaFailures.state(
          "the module %s is not loaded, and to load it now might wait for kernels that run",
          ModuleLoader.module(family, type));
    }
    return functions;
  }

  /**
   * Loads the modules of families, those of all types, side by side; returns when they are loaded.
   * Waits for another thread that is about it. The thread must not be in a context.
   *
   * @throws io.nitinol.spi.device.v1.DeviceException where one cannot be loaded; the others are,
   *     and the next call tries that one again
   */
  void load(Collection<KernelFamily> families) {
    if (missing(families).isEmpty()) {
      return;
    }
    loading.lock();
    try {
      CompletableFuture.allOf(
              missing(families).stream()
                  .map(load -> CompletableFuture.runAsync(load, LOADERS))
                  .toArray(CompletableFuture<?>[]::new))
          .join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw e;
    } finally {
      loading.unlock();
    }
  }

  private List<Runnable> missing(Collection<KernelFamily> families) {
    List<Runnable> missing = new ArrayList<>();
    for (KernelFamily family : families) {
      addMissing(family, null, missing);
      for (DataType type : DataType.values()) {
        addMissing(family, type, missing);
      }
    }
    return missing;
  }

  private void addMissing(KernelFamily family, @Nullable DataType type, List<Runnable> missing) {
    int index = index(family, type);
    if (loaded.get(index) == null) {
      missing.add(() -> loaded.set(index, loader.load(family, type)));
    }
  }
}
