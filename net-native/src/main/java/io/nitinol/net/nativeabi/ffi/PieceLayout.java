// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.ffi;

/**
 * {@code ncclNetSGE_vN_t}, a piece of a collective operation. The size has 32 bits in version 8 and
 * 64 from version 9 on; the struct is as large.
 */
public final class PieceLayout {
  /** {@code void* mhandle}. */
  public static final long MHANDLE = 0;

  /** {@code void* address}. */
  public static final long ADDRESS = 8;

  /** {@code uint32_t size} or {@code size_t size}. */
  public static final long SIZE = 16;

  /** The size of the struct. */
  public static final long BYTES = 24;

  private PieceLayout() {}
}
