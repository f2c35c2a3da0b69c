// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * A little memory that is seen many times, one behind the other: room for a message of many GiB
 * where there is none.
 */
final class WideView implements AutoCloseable {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final MethodHandle MEMFD_CREATE =
      handle(
          "memfd_create",
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
  private static final MethodHandle FTRUNCATE =
      handle(
          "ftruncate",
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG));
  private static final MethodHandle MMAP =
      handle(
          "mmap",
          FunctionDescriptor.of(
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_LONG));
  private static final MethodHandle MUNMAP =
      handle(
          "munmap",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
  private static final MethodHandle CLOSE =
      handle("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

  private static final int READ_WRITE = 3;
  private static final int SHARED_FIXED = 0x11;
  private static final int RESERVED = 0x4022; // private, anonymous, no swap space

  private final long address;
  private final long size;

  /** All of it: byte {@code i} is byte {@code i} modulo the size of the memory. */
  final MemorySegment all;

  WideView(long memory, long size) throws IOException {
    if (size % memory != 0) {
      throw new IllegalArgumentException(size + " is no multiple of " + memory);
    }
    this.size = size;
    try (Arena arena = Arena.ofConfined()) {
      int file = (int) MEMFD_CREATE.invokeExact(arena.allocateFrom("wide"), 0);
      check("memfd_create", file);
      check("ftruncate", (int) FTRUNCATE.invokeExact(file, memory));
      address = (long) MMAP.invokeExact(0L, size, READ_WRITE, RESERVED, -1, 0L);
      check("mmap", address);
      for (long at = 0; at < size; at += memory) {
        check(
            "mmap",
            (long) MMAP.invokeExact(address + at, memory, READ_WRITE, SHARED_FIXED, file, 0L));
      }
      check("close", (int) CLOSE.invokeExact(file));
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
    all = MemorySegment.ofAddress(address).reinterpret(size);
  }

  private static MethodHandle handle(String name, FunctionDescriptor type) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type);
  }

  private static void check(String what, long result) throws IOException {
    if (result == -1) {
      throw new IOException(what + " failed");
    }
  }

  @Override
  public void close() throws IOException {
    try {
      check("munmap", (int) MUNMAP.invokeExact(address, size));
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
