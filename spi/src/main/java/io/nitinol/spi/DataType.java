// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi;

import org.jspecify.annotations.Nullable;

/** The element types of collectives; mirrors {@code ncclDataType_t}, whose numbers it carries. */
public enum DataType {
  /** Signed 8-bit integer. */
  INT8(0, 1, "int8"),
  /** Unsigned 8-bit integer. */
  UINT8(1, 1, "uint8"),
  /** Signed 32-bit integer. */
  INT32(2, 4, "int32"),
  /** Unsigned 32-bit integer. */
  UINT32(3, 4, "uint32"),
  /** Signed 64-bit integer. */
  INT64(4, 8, "int64"),
  /** Unsigned 64-bit integer. */
  UINT64(5, 8, "uint64"),
  /** IEEE 754 binary16. */
  FLOAT16(6, 2, "half"),
  /** IEEE 754 binary32. */
  FLOAT32(7, 4, "float"),
  /** IEEE 754 binary64. */
  FLOAT64(8, 8, "double"),
  /** Brain float: the upper half of a binary32. */
  BFLOAT16(9, 2, "bfloat16"),
  /** OCP 8-bit float, 4 exponent and 3 mantissa bits, no infinities (NCCL 2.24 and later). */
  FLOAT8E4M3(10, 1, "f8e4m3"),
  /** OCP 8-bit float, 5 exponent and 2 mantissa bits (NCCL 2.24 and later). */
  FLOAT8E5M2(11, 1, "f8e5m2");

  private static final DataType[] VALUES = values();

  private final int code;
  private final int size;
  private final String label;

  DataType(int code, int size, String label) {
    this.code = code;
    this.size = size;
    this.label = label;
  }

  /** {@return the number NCCL gives this type} */
  public int code() {
    return code;
  }

  /** {@return the size of one element in bytes} */
  public int size() {
    return size;
  }

  /** {@return the name nccl-tests prints and accepts for this type, for example {@code float}} */
  public String label() {
    return label;
  }

  /** {@return whether elements are floating-point numbers} */
  public boolean isFloat() {
    return code >= FLOAT16.code;
  }

  /**
   * Returns the type with NCCL's number {@code code}, or null where NCCL defines none.
   *
   * @param code NCCL's number
   * @return the constant, or null
   */
  public static @Nullable DataType ofCode(int code) {
    return code >= 0 && code < VALUES.length ? VALUES[code] : null;
  }
}
