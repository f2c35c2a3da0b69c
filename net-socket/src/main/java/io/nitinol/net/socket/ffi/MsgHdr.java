// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;

/** {@code struct msghdr} of Linux on processors of 64 bits; pointers are longs. */
public final class MsgHdr {
  /** The structure. */
  public static final StructLayout LAYOUT =
      MemoryLayout.structLayout(
          JAVA_LONG.withName("msg_name"),
          JAVA_INT.withName("msg_namelen"),
          MemoryLayout.paddingLayout(4),
          JAVA_LONG.withName("msg_iov"),
          JAVA_LONG.withName("msg_iovlen"),
          JAVA_LONG.withName("msg_control"),
          JAVA_LONG.withName("msg_controllen"),
          JAVA_INT.withName("msg_flags"),
          MemoryLayout.paddingLayout(4));

  /** Where the address of the pieces is. */
  public static final long IOV =
      LAYOUT.byteOffset(MemoryLayout.PathElement.groupElement("msg_iov"));

  /** Where their number is. */
  public static final long IOVLEN =
      LAYOUT.byteOffset(MemoryLayout.PathElement.groupElement("msg_iovlen"));

  private MsgHdr() {}
}
