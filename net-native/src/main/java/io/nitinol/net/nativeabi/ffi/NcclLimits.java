// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.ffi;

/** Numbers of the interface that are not in a struct. */
public final class NcclLimits {
  /** How long a message is at the most up to version 8, where sizes are ints; in bytes. */
  public static final long MAX_INT_MESSAGE = 1L << 30;

  /** How large a collective is at the most up to version 8; in bytes. */
  public static final long MAX_INT_COLLECTIVE = 512L << 20;

  /** {@code NCCL_MAX_NET_SIZE_BYTES}: more than that, no device may claim to take. */
  public static final long MAX_MESSAGE = 1L << 40;

  /** {@code NCCL_NET_MAX_REQUESTS}: on one comm, for each buffer that a receive may have. */
  public static final int MAX_REQUESTS = 32;

  /**
   * How many buffers a receive has at the most, whatever a device says that it takes: more than
   * NCCL has channels, whose buffers it puts together.
   */
  public static final int MAX_RECVS = 128;

  /** {@code NCCL_NET_OPTIONAL_RECV_COMPLETION}, in {@code *request}, version 9 on. */
  public static final long OPTIONAL_RECV_COMPLETION = 0x1;

  private NcclLimits() {}

  /** Returns {@code NCCL_NET_HANDLE_MAXSIZE} as {@code version} has it, in bytes. */
  public static int handleSize(int version) {
    return version <= 4 ? 64 : 128;
  }
}
