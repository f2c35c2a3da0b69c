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
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Loads modules of PTX into a context. The driver compiles a module that its cache does not have,
 * for up to some seconds; and whether compiled or not, it may wait for kernels that run.
 */
final class ModuleLoader {
  /** The targets that the PTX is committed for, the newest first. */
  static final List<Integer> TARGETS = List.of(90, 80);

  private final CudaContext context;
  private final int capability;

  ModuleLoader(CudaContext context, int capability) {
    this.context = context;
    this.capability = capability;
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

  /** Loads a module and returns its functions, in the order of {@link #entries}. */
  MemorySegment[] load(KernelFamily family, @Nullable DataType type) {
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
          target <= capability ? ModuleLoader.class.getResourceAsStream(name) : null) {
        if (file != null) {
          return new GZIPInputStream(file).readAllBytes();
        }
      } catch (IOException e) {
        // A DeviceException, so that the other ranks of a team hear of it.
        throw CudaFailures.of(
            DeviceFailure.DRIVER_ERROR,
            "%s: the resource %s cannot be read: %s",
            context.name(),
            name,
            e);
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
