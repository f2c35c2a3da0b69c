// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ResultCode;
import java.lang.foreign.MemorySegment;

/** Checks of the buffers that callers pass, each with an error that names the argument. */
final class BufferCheck {
  private BufferCheck() {}

  /** Returns the bytes of {@code count} elements. */
  static long bytes(String call, long count, DataType type) {
    if (count < 0) {
      throw invalid(call, "count", Long.toString(count), "0 or more elements");
    }
    if (count > Long.MAX_VALUE / 8) {
      throw invalid(call, "count", Long.toString(count), "at most 2^60 elements");
    }
    return count * type.size();
  }

  /** Checks one buffer. */
  static void buffer(
      String call, String name, MemorySegment buffer, long bytes, boolean written, Thread user) {
    if (!buffer.isNative()) {
      throw invalid(
          call,
          name,
          "a segment of the Java heap",
          "native memory, for example Arena.ofShared().allocate(" + bytes + ", 64)");
    }
    if (buffer.byteSize() < bytes) {
      throw invalid(
          call,
          name,
          "a segment of " + buffer.byteSize() + " bytes",
          "at least " + bytes + " bytes");
    }
    if (written && buffer.isReadOnly()) {
      throw invalid(call, name, "a read-only segment", "a segment that can be written");
    }
    if (!buffer.scope().isAlive()) {
      throw invalid(call, name, "a segment that has been freed", "live memory");
    }
    if (!buffer.isAccessibleBy(user)) {
      throw invalid(
          call,
          name,
          "a segment that only one thread may use",
          "memory of Arena.ofShared(), since a communicator works in threads of its own too");
    }
  }

  /** Checks that two buffers are one and the same or do not touch. */
  static void overlap(String call, MemorySegment send, MemorySegment recv, long bytes) {
    long distance = Math.abs(send.address() - recv.address());
    if (distance != 0 && distance < bytes) {
      throw invalid(
          call,
          "recv",
          "a buffer " + distance + " bytes away from send",
          "the same address (in place) or no overlap of the " + bytes + " bytes of each");
    }
  }

  private static CommException invalid(String call, String name, String value, String expected) {
    return new CommException(
        ResultCode.INVALID_ARGUMENT,
        call + ": " + name + " is " + value + "; expected " + expected);
  }
}
