// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.call;

import io.nitinol.core.CommException;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Checks the arguments that callers pass, each with an INVALID_ARGUMENT that names it. */
@AnyThread
public final class BufferCheck {
  /** For {@link #apart}: the call has no in place. */
  public static final long NOT_IN_PLACE = Long.MIN_VALUE;

  private BufferCheck() {}

  /** Checks that an argument is not null. */
  public static void given(String call, String name, @Nullable Object argument) {
    if (argument == null) {
      throw new CommException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of("%s: %s is null; it must not be null", call, name));
    }
  }

  /** Checks a rank. */
  public static void rank(String call, String name, int rank, int size) {
    if (rank < 0 || rank >= size) {
      throw invalid(call, name, Integer.toString(rank), "a rank from 0 to " + (size - 1));
    }
  }

  /** Checks a number of elements; returns their bytes. */
  public static long bytes(String call, long count, DataType type) {
    given(call, "type", type);
    if (count < 0) {
      throw invalid(call, "count", Long.toString(count), "0 or more elements");
    }
    if (count > Long.MAX_VALUE / 8) {
      throw invalid(call, "count", Long.toString(count), "at most 2^60 elements");
    }
    return count * type.size();
  }

  /** Checks a number of elements; returns the bytes of {@code blocks} times as many. */
  public static long bytes(String call, long count, DataType type, int blocks) {
    long bytes = bytes(call, count, type);
    if (bytes > Long.MAX_VALUE / blocks) {
      throw invalid(
          call,
          "count",
          Long.toString(count),
          ErrorText.of("so few elements that those of %d ranks are less than 2^63 bytes", blocks));
    }
    return bytes * blocks;
  }

  /**
   * Checks a buffer that an operation reads.
   *
   * @param bytes how many bytes of it are read
   * @param user a thread of the communicator, which has to be allowed to use the buffer
   * @return the buffer
   */
  static MemorySegment readable(
      String call, String name, @Nullable MemorySegment buffer, long bytes, Thread user) {
    if (buffer == null) {
      throw invalid(call, name, "null", ErrorText.of("a segment of at least %d bytes", bytes));
    }
    if (!buffer.isNative()) {
      throw invalid(
          call,
          name,
          "a segment of the Java heap",
          ErrorText.of("native memory, for example Arena.ofShared().allocate(%d, 64)", bytes));
    }
    if (buffer.byteSize() < bytes) {
      throw invalid(
          call,
          name,
          ErrorText.of("a segment of %d bytes", buffer.byteSize()),
          ErrorText.of("at least %d bytes", bytes));
    }
    alive(call, name, buffer);
    if (!buffer.isAccessibleBy(user)) {
      throw invalid(
          call,
          name,
          "a segment that only one thread may use",
          "memory of Arena.ofShared(), since a communicator works in threads of its own too");
    }
    return buffer;
  }

  /** Checks that a buffer has not been freed. */
  static void alive(String call, String name, MemorySegment buffer) {
    if (!buffer.scope().isAlive()) {
      throw invalid(call, name, "a segment that has been freed", "live memory");
    }
  }

  /** Checks a buffer that an operation writes, as {@link #readable} does otherwise. */
  static MemorySegment writable(
      String call, String name, @Nullable MemorySegment buffer, long bytes, Thread user) {
    MemorySegment checked = readable(call, name, buffer, bytes, user);
    if (checked.isReadOnly()) {
      throw invalid(call, name, "a read-only segment", "a segment that can be written");
    }
    return checked;
  }

  /** Checks that two buffers of one length are one and the same or do not touch. */
  static void overlap(String call, MemorySegment send, MemorySegment recv, long bytes) {
    overlap(call, send.address(), recv.address(), bytes);
  }

  /** The same for the addresses of two buffers. */
  public static void overlap(String call, long send, long recv, long bytes) {
    long distance = Math.abs(send - recv);
    if (distance != 0 && distance < bytes) {
      throw invalid(
          call,
          "recv",
          ErrorText.of("a buffer %d bytes away from send", distance),
          ErrorText.of("the same address (in place) or no overlap of the %d bytes of each", bytes));
    }
  }

  /**
   * Checks that the bytes read and the bytes written do not touch, or lie exactly as in place
   * means.
   *
   * @param sendAt where {@code send} begins within {@code recv} when the call is done in place, in
   *     bytes; negative where {@code recv} begins within {@code send}; {@link #NOT_IN_PLACE} where
   *     the call has no in place
   */
  static void apart(
      String call,
      MemorySegment send,
      long sendBytes,
      MemorySegment recv,
      long recvBytes,
      long sendAt) {
    apart(call, send.address(), sendBytes, recv.address(), recvBytes, sendAt);
  }

  /** The same for the addresses of two buffers. */
  public static void apart(
      String call, long from, long sendBytes, long to, long recvBytes, long sendAt) {
    if (sendBytes == 0
        || recvBytes == 0
        || from - to == sendAt
        || (from < to ? to - from >= sendBytes : from - to >= recvBytes)) {
      return;
    }
    String where = from < to ? "behind" : "before";
    throw invalid(
        call,
        "recv",
        from == to
            ? "a buffer that begins where send does"
            : ErrorText.of("a buffer %d bytes %s send", Math.abs(from - to), where),
        ErrorText.of(
            "%sno overlap of the %d bytes of send with the %d of recv",
            sendAt == NOT_IN_PLACE
                ? ""
                : ErrorText.of("send %d bytes behind recv (in place), or ", sendAt),
            sendBytes,
            recvBytes));
  }

  /** Returns the exception for a wrong argument. */
  public static CommException invalid(String call, String name, String value, String expected) {
    return new CommException(
        ResultCode.INVALID_ARGUMENT,
        ErrorText.of("%s: %s is %s; expected %s", call, name, value, expected));
  }
}
