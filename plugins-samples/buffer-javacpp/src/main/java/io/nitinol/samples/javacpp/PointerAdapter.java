// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.javacpp;

import io.nitinol.spi.DataType;
import io.nitinol.spi.buffer.v1.BufferAdapter;
import io.nitinol.spi.buffer.v1.BufferView;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * Takes pointers of javacpp to bytes, ints, longs, floats and doubles, all of them signed, in host
 * memory: from their position to their limit, or to their capacity where they have no limit. Other
 * pointers are left to other adapters.
 *
 * <p>A pointer does not say what its address is of. One that holds an address of a device, such as
 * that of {@code cudaMalloc}, is taken for host memory, and a collective on it may end the process.
 */
public final class PointerAdapter implements BufferAdapter {
  /** Creates the adapter; ServiceLoader does. */
  public PointerAdapter() {}

  @Override
  public String name() {
    return "javacpp";
  }

  @Override
  public @Nullable BufferView view(Object object) {
    if (!(object instanceof Pointer pointer)) {
      return null;
    }
    @Nullable DataType type =
        switch (pointer) {
          case BytePointer _ -> DataType.INT8;
          case IntPointer _ -> DataType.INT32;
          case LongPointer _ -> DataType.INT64;
          case FloatPointer _ -> DataType.FLOAT32;
          case DoublePointer _ -> DataType.FLOAT64;
          default -> null; // another adapter may know it: a tensor, too, is a Pointer
        };
    if (type == null) {
      return null;
    }
    if (pointer.isNull()) {
      throw new IllegalArgumentException(
          "is null: closed, or never given memory; expected an open one");
    }
    long position = pointer.position();
    long end = pointer.limit() > 0 ? pointer.limit() : pointer.capacity();
    if (position < 0 || position >= end) {
      throw new IllegalArgumentException(
          "shows no element, with position "
              + position
              + ", limit "
              + pointer.limit()
              + " and capacity "
              + pointer.capacity()
              + "; expected a position below the limit, which native code may not have set");
    }
    long size = type.size();
    return new BufferView.HostAddress(
        pointer.address() + position * size, (end - position) * size, type, false);
  }
}
