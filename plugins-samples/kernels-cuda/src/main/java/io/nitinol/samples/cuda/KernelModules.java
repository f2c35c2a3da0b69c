// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.samples.cuda.ffi.cuda_h;
import io.nitinol.spi.DataType;
import io.nitinol.spi.device.v1.DeviceFailure;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The kernels of one context: each module of PTX is loaded when it is first asked for, and at most
 * once. The driver compiles it then, which takes it up to some seconds, and may wait for kernels
 * that run: so a team loads what it needs before its first launch.
 */
final class KernelModules {
  /** The targets that the PTX is committed for, the newest first. */
  static final List<Integer> TARGETS = List.of(90, 80);

  private static final int LOADERS = 8;

  /** A module without a type is in place 0, one of a type behind its code. */
  private static final int PLACES = 1 + DataType.values().length;

  private final CudaContext context;
  private final int capability;

  /** The functions of a module, by family and place; null until it is loaded. */
  private final AtomicReferenceArray<MemorySegment @Nullable []> loaded =
      new AtomicReferenceArray<>(KernelFamily.values().length * PLACES);

  /** What one thread loads at a time, so that no module is loaded twice. */
  private final Object[] locks = new Object[loaded.length()];

  KernelModules(CudaContext context, int capability) {
    this.context = context;
    this.capability = capability;
    for (int i = 0; i < locks.length; i++) {
      locks[i] = new Object();
    }
  }

  private static int index(KernelFamily family, @Nullable DataType type) {
    return family.ordinal() * PLACES + (type == null ? 0 : 1 + type.code());
  }

  /** Returns a kernel that reduces, from its loaded module or after loading it. */
  MemorySegment reduction(KernelFamily family, DataType type, int operator) {
    MemorySegment[] functions = loaded.get(index(family, type));
    return (functions == null ? load(family, type) : functions)[operator];
  }

  /** Returns a kernel that moves, by its place in {@link KernelFamily#moves}. */
  MemorySegment move(KernelFamily family, int place) {
    MemorySegment[] functions = loaded.get(index(family, null));
    return (functions == null ? load(family, null) : functions)[place];
  }

  /** Loads a module if need be. */
  MemorySegment[] load(KernelFamily family, @Nullable DataType type) {
    int index = index(family, type);
    synchronized (locks[index]) {
      MemorySegment[] functions = loaded.get(index);
      if (functions == null) {
        functions = read(family, type);
        loaded.set(index, functions);
      }
      return functions;
    }
  }

  /** Loads the modules of families for some types, and those that only move, side by side. */
  void loadAll(List<KernelFamily> families, List<DataType> types) {
    List<Runnable> missing = new ArrayList<>();
    for (KernelFamily family : families) {
      if (loaded.get(index(family, null)) == null) {
        missing.add(() -> load(family, null));
      }
      for (DataType type : types) {
        if (loaded.get(index(family, type)) == null) {
          missing.add(() -> load(family, type));
        }
      }
    }
    if (missing.isEmpty()) {
      return;
    }
    int loaders =
        Math.min(LOADERS, Math.min(missing.size(), Runtime.getRuntime().availableProcessors()));
    try (ExecutorService threads =
        Executors.newFixedThreadPool(
            loaders, Thread.ofPlatform().daemon().name("cuda-load-", 0).factory())) {
      CompletableFuture.allOf(
              missing.stream()
                  .map(load -> CompletableFuture.runAsync(load, threads))
                  .toArray(CompletableFuture<?>[]::new))
          .join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw e;
    }
  }

  /** Returns the name of a module. */
  static String module(KernelFamily family, @Nullable DataType type) {
    return type == null ? family.prefix() : family.prefix() + "_" + Operators.typeName(type);
  }

  /** Returns the names of a module's entries, in the order of their numbers here. */
  static List<String> entries(KernelFamily family, @Nullable DataType type) {
    if (type == null) {
      return family.moves();
    }
    List<String> entries = new ArrayList<>();
    for (String operator : Operators.NAMES) {
      entries.add(
          "nitinol_" + family.prefix() + "_reduce_" + Operators.typeName(type) + "_" + operator);
    }
    return entries;
  }

  private MemorySegment[] read(KernelFamily family, @Nullable DataType type) {
    String module = module(family, type);
    byte[] text = ptx(module);
    boolean pushed = context.enter();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment image = arena.allocate(text.length + 1L);
      MemorySegment.copy(text, 0, image, ValueLayout.JAVA_BYTE, 0, text.length);
      MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
      int result = cuda_h.cuModuleLoadData(out, image);
      if (result != 0) {
        throw context.failure(result, "cuModuleLoadData", "PTX of " + module);
      }
      MemorySegment handle = out.get(ValueLayout.ADDRESS, 0);
      List<String> entries = entries(family, type);
      MemorySegment[] functions = new MemorySegment[entries.size()];
      for (int i = 0; i < functions.length; i++) {
        result = cuda_h.cuModuleGetFunction(out, handle, arena.allocateFrom(entries.get(i)));
        if (result != 0) {
          throw context.failure(result, "cuModuleGetFunction", entries.get(i));
        }
        functions[i] = out.get(ValueLayout.ADDRESS, 0);
        // A driver that loads lazily would do so at the first launch.
        result = cuda_h.cuFuncLoad(functions[i]);
        if (result != 0) {
          throw context.failure(result, "cuFuncLoad", entries.get(i));
        }
      }
      return functions;
    } finally {
      context.leave(pushed);
    }
  }

  private byte[] ptx(String module) {
    for (int target : TARGETS) {
      String name = "ptx/sm_" + target + "/" + module + ".ptx.gz";
      try (InputStream file =
          target <= capability ? KernelModules.class.getResourceAsStream(name) : null) {
        if (file != null) {
          return new GZIPInputStream(file).readAllBytes();
        }
      } catch (IOException e) {
        throw new IllegalStateException("the resource " + name + " cannot be read", e);
      }
    }
    throw CudaFailures.of(
        DeviceFailure.UNSUPPORTED,
        "%s: there is no PTX of %s for compute capability %d.%d",
        context.name(),
        module,
        capability / 10,
        capability % 10);
  }
}
