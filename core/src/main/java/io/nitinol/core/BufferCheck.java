// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ResultCode;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Checks of the buffers that callers pass, each with an error that names the argument. */
final class BufferCheck {
  private BufferCheck() {}

  /** Returns the bytes of {@code count} elements. */
  static long bytes(String call, long count, DataType type) {
    given(call, "type", type);
    if (count < 0) {
      throw invalid(call, "count", Long.toString(count), "0 or more elements");
    }
    if (count > Long.MAX_VALUE / 8) {
      throw invalid(call, "count", Long.toString(count), "at most 2^60 elements");
    }
    return count * type.size();
  }

  /** Checks that an argument that must not be left out is not null. */
  static void given(String call, String name, @Nullable Object argument) {
    if (argument == null) {
      throw invalid(call, name, "null", "one that is there");
    }
  }

  /** Checks one buffer. */
  static void buffer(
      String call, String name, MemorySegment buffer, long bytes, boolean written, Thread user) {
    given(call, name, buffer);
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

  /** Returns the bytes of {@code blocks} times {@code count} elements. */
  static long bytes(String call, long count, DataType type, int blocks) {
    long bytes = bytes(call, count, type);
    if (bytes > Long.MAX_VALUE / blocks) {
      throw invalid(
          call,
          "count",
          Long.toString(count),
          "so few elements that those of " + blocks + " ranks are less than 2^63 bytes");
    }
    return bytes * blocks;
  }

  /** Checks a buffer that may not be left out here. */
  static MemorySegment present(
      String call,
      String name,
      @Nullable MemorySegment buffer,
      long bytes,
      boolean written,
      Thread user) {
    if (buffer == null) {
      throw invalid(call, name, "null", "a segment of at least " + bytes + " bytes");
    }
    buffer(call, name, buffer, bytes, written, user);
    return buffer;
  }

  /**
   * Checks that what is read and what is written do not touch, or lie exactly as in place means.
   *
   * @param sendAt where {@code send} begins within {@code recv} when the call is done in place, in
   *     bytes; negative where {@code recv} begins within {@code send}; {@link Long#MIN_VALUE} where
   *     there is no in place
   */
  static void apart(
      String call,
      MemorySegment send,
      long sendBytes,
      MemorySegment recv,
      long recvBytes,
      long sendAt) {
    long from = send.address();
    long to = recv.address();
    if (sendBytes == 0
        || recvBytes == 0
        || from - to == sendAt
        || (from < to ? to - from >= sendBytes : from - to >= recvBytes)) {
      return;
    }
    throw invalid(
        call,
        "recv",
        from == to
            ? "a buffer that begins where send does"
            : "a buffer "
                + Math.abs(from - to)
                + " bytes "
                + (from < to ? "behind" : "before")
                + " send",
        (sendAt == Long.MIN_VALUE ? "" : "send " + sendAt + " bytes behind recv (in place), or ")
            + "no overlap of the "
            + sendBytes
            + " bytes of send with the "
            + recvBytes
            + " of recv");
  }

  /** Checks a rank. */
  static void rank(String call, String name, int rank, int size) {
    if (rank < 0 || rank >= size) {
      throw invalid(call, name, Integer.toString(rank), "a rank from 0 to " + (size - 1));
    }
  }

  static CommException invalid(String call, String name, String value, String expected) {
    return new CommException(
        ResultCode.INVALID_ARGUMENT,
        call + ": " + name + " is " + value + "; expected " + expected);
  }
}
