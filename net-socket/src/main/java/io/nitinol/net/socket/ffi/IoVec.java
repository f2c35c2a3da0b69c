// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.ffi;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;

/** {@code struct iovec} on processors of 64 bits: a piece of memory; the pointer is a long. */
public final class IoVec {
  /** The structure. */
  public static final StructLayout LAYOUT =
      MemoryLayout.structLayout(JAVA_LONG.withName("iov_base"), JAVA_LONG.withName("iov_len"));

  /** Where the address is. */
  public static final long BASE =
      LAYOUT.byteOffset(MemoryLayout.PathElement.groupElement("iov_base"));

  /** Where the length is. */
  public static final long LENGTH =
      LAYOUT.byteOffset(MemoryLayout.PathElement.groupElement("iov_len"));

  private IoVec() {}
}
