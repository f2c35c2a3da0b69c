// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.call.BufferCheck;
import io.nitinol.core.plugin.BufferAdapters;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.buffer.v1.BufferView;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.function.Function;

/**
 * A typed view of a Java array, buffer or segment, for {@link BlockingCalls}; not a copy. Integers
 * are signed unless {@link #as} gives them another type.
 */
public final class Elements {
  private final MemorySegment memory;
  private final DataType type;

  private Elements(MemorySegment memory, DataType type) {
    this.memory = memory;
    this.type = type;
  }

  private static <T> MemorySegment array(T values, Function<T, MemorySegment> segment) {
    BufferCheck.given("elements", "values", values);
    return segment.apply(values);
  }

  /** Returns all elements of an array, as {@link DataType#FLOAT32}. */
  public static Elements of(float[] values) {
    return new Elements(array(values, MemorySegment::ofArray), DataType.FLOAT32);
  }

  /** Returns all elements of an array, as {@link DataType#FLOAT64}. */
  public static Elements of(double[] values) {
    return new Elements(array(values, MemorySegment::ofArray), DataType.FLOAT64);
  }

  /** Returns all elements of an array, as {@link DataType#INT32}. */
  public static Elements of(int[] values) {
    return new Elements(array(values, MemorySegment::ofArray), DataType.INT32);
  }

  /** Returns all elements of an array, as {@link DataType#INT64}. */
  public static Elements of(long[] values) {
    return new Elements(array(values, MemorySegment::ofArray), DataType.INT64);
  }

  /** Returns all elements of an array, as {@link DataType#INT8}. */
  public static Elements of(byte[] values) {
    return new Elements(array(values, MemorySegment::ofArray), DataType.INT8);
  }

  /**
   * Returns all elements of an array of 16-bit floats.
   *
   * @param type {@link DataType#FLOAT16} or {@link DataType#BFLOAT16}
   */
  public static Elements of(short[] values, DataType type) {
    return of(array(values, MemorySegment::ofArray), type);
  }

  /**
   * Returns the elements between a buffer's position and limit, neither of which is changed. Direct
   * buffers are used in place, without a copy.
   *
   * @param values a float, double, int, long or byte buffer, the first four in the machine's order
   *     of bytes
   * @throws CommException INVALID_ARGUMENT for other buffers
   */
  public static Elements of(Buffer values) {
    BufferCheck.given("elements", "values", values);
    DataType type =
        switch (values) {
          case FloatBuffer each -> ordered(each.order(), DataType.FLOAT32);
          case DoubleBuffer each -> ordered(each.order(), DataType.FLOAT64);
          case IntBuffer each -> ordered(each.order(), DataType.INT32);
          case LongBuffer each -> ordered(each.order(), DataType.INT64);
          case ByteBuffer _ -> DataType.INT8;
          case ShortBuffer _, CharBuffer _ ->
              throw new CommException(
                  ResultCode.INVALID_ARGUMENT,
                  "elements: a buffer of 16-bit integers, for which there is no type; 16-bit floats"
                      + " are given as short[] or as a segment");
        };
    return new Elements(MemorySegment.ofBuffer(values), type);
  }

  /**
   * Returns the elements that fill a segment of the heap or outside it.
   *
   * @throws CommException INVALID_ARGUMENT where its length is no multiple of an element's
   */
  public static Elements of(MemorySegment values, DataType type) {
    BufferCheck.given("elements", "values", values);
    BufferCheck.given("elements", "type", type);
    if (values.byteSize() % type.size() != 0) {
      throw new CommException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "elements: %d bytes; expected a multiple of %d for %s",
              values.byteSize(), type.size(), type.label()));
    }
    return new Elements(values, type);
  }

  private static DataType ordered(ByteOrder order, DataType type) {
    if (order != ByteOrder.nativeOrder()) {
      throw new CommException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "elements: a buffer in %s order; expected the machine's own, %s",
              order, ByteOrder.nativeOrder()));
    }
    return type;
  }

  /**
   * Returns the elements of an object of another library, such as a tensor or a pointer, in the
   * object's own memory and without a copy. A {@link io.nitinol.spi.buffer.v1.BufferAdapter} of
   * that library says where that is, and of which type.
   *
   * <p>The memory is the one that the object has now: the caller keeps the object open, and as
   * large as it is, while these elements are used, and asks anew after a change: a close is not
   * seen, also where the memory is that of an arena. Native memory keeps the object reachable while
   * anything holds these elements or {@link #memory}. So an object that stores its own elements is
   * never collected.
   *
   * @param object of a class that an adapter knows, with memory of the host; for that of a device
   *     there is {@link DeviceBuffer#adapt}. The adapters are those that {@link
   *     java.util.ServiceLoader} finds by the context class loader of the calling thread
   * @throws CommException INVALID_ARGUMENT, which names the class and the adapters that there are,
   *     where no adapter knows the object, or its memory cannot be used
   */
  public static Elements adapt(Object object) {
    BufferCheck.given("elements", "object", object);
    BufferView.HostSegment view = BufferAdapters.ofThread().host("elements", object);
    return of(view.memory(), view.type());
  }

  /**
   * Returns some of the elements.
   *
   * @param first the first of them, from 0
   * @param count how many
   * @throws IndexOutOfBoundsException where there are not so many
   */
  public Elements range(long first, long count) {
    return new Elements(memory.asSlice(first * type.size(), count * type.size()), type);
  }

  /**
   * Returns the same bytes as elements of another type, such as {@link DataType#UINT32} for an
   * {@code int[]}.
   */
  public Elements as(DataType other) {
    return of(memory, other);
  }

  /** Returns how many elements there are. */
  public long count() {
    return memory.byteSize() / type.size();
  }

  /** Returns their type. */
  public DataType type() {
    return type;
  }

  /**
   * Returns the memory of the elements, for the calls of a {@link Communicator} and of {@link
   * PersistentCalls}. These take native memory only, which arrays are not.
   */
  public MemorySegment memory() {
    return memory;
  }
}
