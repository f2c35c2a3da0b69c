// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.launch.pmi.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The functions of the C library on a descriptor that the process was started with. */
public final class DescriptorCalls {
  private final MethodHandle read = function("read");
  private final MethodHandle write = function("write");

  private static MethodHandle function(String name) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow(name),
        FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
  }

  /** {@code ssize_t read(int fd, void *buffer, size_t bytes)}. */
  public long read(int descriptor, MemorySegment buffer) throws Throwable {
    return (long) read.invokeExact(descriptor, buffer, buffer.byteSize());
  }

  /** {@code ssize_t write(int fd, const void *buffer, size_t bytes)}. */
  public long write(int descriptor, MemorySegment buffer) throws Throwable {
    return (long) write.invokeExact(descriptor, buffer, buffer.byteSize());
  }
}
