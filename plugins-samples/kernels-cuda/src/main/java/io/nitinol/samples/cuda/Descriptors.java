// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/** Closes file descriptors that the driver has made. */
final class Descriptors {
  private static final MethodHandle CLOSE =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("close"),
              FunctionDescriptor.of(JAVA_INT, JAVA_INT));

  private Descriptors() {}

  static void close(int descriptor) {
    try {
      if ((int) CLOSE.invokeExact(descriptor) != 0) {
        throw CudaFailures.state("descriptor %d cannot be closed", descriptor);
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("should not reach here", e);
    }
  }
}
