// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The library {@code libcuda.so.1}: loaded once, for ever, or absent with a reason. */
public final class Libcuda {
  private Libcuda() {}

  /** The name by which the library is asked for. */
  public static final String NAME = "libcuda.so.1";

  /** Major version times 1000 plus minor version times 10, of the driver that the PTX needs. */
  public static final int REQUIRED_VERSION = 13_000;

  private static final @Nullable String ABSENCE;
  private static final @Nullable MethodHandle GET_PROC_ADDRESS;

  static {
    String absence = null;
    MethodHandle lookup = null;
    if (!Libcuda.class.getModule().isNativeAccessEnabled()) {
      // Asked before any restricted call, so that nothing is printed on the application's stderr.
      absence =
          "native access is not enabled for "
              + (Libcuda.class.getModule().isNamed() ? "io.nitinol.samples.cuda" : "ALL-UNNAMED")
              + " (java --enable-native-access)";
    } else {
      try {
        useAllQueues();
        Optional<MemorySegment> found =
            SymbolLookup.libraryLookup(NAME, Arena.global()).find("cuGetProcAddress_v2");
        if (found.isEmpty()) {
          absence = NAME + " has no cuGetProcAddress_v2: the driver is older than CUDA 12";
        } else {
          lookup =
              Linker.nativeLinker()
                  .downcallHandle(
                      found.get(),
                      FunctionDescriptor.of(
                          JAVA_INT, ADDRESS, ADDRESS, JAVA_INT, JAVA_LONG, ADDRESS));
        }
      } catch (IllegalArgumentException e) {
        absence = NAME + " cannot be loaded: there is no NVIDIA driver in this process's reach";
      }
    }
    GET_PROC_ADDRESS = lookup;
    ABSENCE = absence == null ? missing() : absence;
  }

  /** Returns why no function may be called, or null where all may. */
  public static @Nullable String absence() {
    return ABSENCE;
  }

  /**
   * Streams of one device share its hardware queues, eight unless this says more; work of a stream
   * that waits for another rank would hold up the streams that share its queue. A value of the user
   * stays. The driver reads it in cuInit.
   */
  private static void useAllQueues() {
    Optional<MemorySegment> setenv = Linker.nativeLinker().defaultLookup().find("setenv");
    if (setenv.isEmpty()) {
      return;
    }
    MethodHandle set =
        Linker.nativeLinker()
            .downcallHandle(
                setenv.get(), FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
    try (Arena arena = Arena.ofConfined()) {
      int ignored =
          (int)
              set.invokeExact(
                  arena.allocateFrom("CUDA_DEVICE_MAX_CONNECTIONS"), arena.allocateFrom("32"), 0);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static @Nullable String missing() {
    for (Field field : cuda_h.class.getDeclaredFields()) {
      if (field.getName().endsWith("$version")) {
        String function = field.getName().replaceAll("(_v\\d+)?\\$version$", "");
        try {
          if (find(function, field.getInt(null)).isEmpty()) {
            return "the driver has no "
                + function
                + ": it is older than CUDA "
                + REQUIRED_VERSION / 1000
                + " (driver 580)";
          }
        } catch (IllegalAccessException e) {
          throw new AssertionError("should not reach here", e);
        }
      }
    }
    return null;
  }

  private static Optional<MemorySegment> find(String function, int version) {
    MethodHandle lookup = GET_PROC_ADDRESS;
    if (lookup == null) {
      return Optional.empty();
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = arena.allocate(ADDRESS);
      MemorySegment status = arena.allocate(JAVA_INT);
      int result =
          (int) lookup.invokeExact(arena.allocateFrom(function), address, version, 0L, status);
      MemorySegment symbol = address.get(ADDRESS, 0);
      return result == 0 && symbol.address() != 0 ? Optional.of(symbol) : Optional.empty();
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Returns a function; where it is missing, one that says so when it is called. */
  static MethodHandle handle(
      String function, int version, FunctionDescriptor descriptor, Linker.Option... options) {
    Optional<MemorySegment> address = find(function, version);
    return address.isPresent()
        ? Linker.nativeLinker().downcallHandle(address.get(), descriptor, options)
        : missing(function + " of version " + version + ": " + ABSENCE, descriptor);
  }

  static MethodHandle missing(String message, FunctionDescriptor descriptor) {
    MethodType type = descriptor.toMethodType();
    MethodHandle thrower =
        MethodHandles.throwException(type.returnType(), UnsatisfiedLinkError.class)
            .bindTo(new UnsatisfiedLinkError(message));
    return MethodHandles.dropArguments(thrower, 0, type.parameterList());
  }
}
