// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/** Closes file descriptors that the driver has made: the {@code close} of the C library. */
public final class Descriptors {
  private static final MethodHandle CLOSE =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("close"),
              FunctionDescriptor.of(JAVA_INT, JAVA_INT));

  private Descriptors() {}

  /**
   * Closes a descriptor.
   *
   * @return 0, or -1 where it was not open
   */
  public static int close(int descriptor) {
    try {
      return (int) CLOSE.invokeExact(descriptor);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("should not reach here", e);
    }
  }
}
