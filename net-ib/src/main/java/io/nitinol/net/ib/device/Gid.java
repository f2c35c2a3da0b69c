// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A port's address, 128 bits; mirrors {@code union ibv_gid}. It looks like an IPv6 address; for
 * RoCE it is one, or an IPv4 address mapped to one.
 *
 * @param prefix the first 8 bytes, the first of them the most significant
 * @param interfaceId the last 8 bytes, likewise
 */
public record Gid(long prefix, long interfaceId) {
  /** The size in bytes. */
  public static final int BYTES = 16;

  private static final ValueLayout.OfLong BIG_ENDIAN =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  /** fe80::/10. */
  private static final long LINK_LOCAL = 0xfe80_0000_0000_0000L;

  private static final long LINK_LOCAL_MASK = 0xffc0_0000_0000_0000L;

  /** ::ffff:0:0/96. */
  private static final long MAPPED = 0x0000_ffffL;

  /**
   * Reads a GID.
   *
   * @param memory where it is
   * @param offset its first byte there
   * @return the GID
   */
  public static Gid read(MemorySegment memory, long offset) {
    return new Gid(memory.get(BIG_ENDIAN, offset), memory.get(BIG_ENDIAN, offset + Long.BYTES));
  }

  /**
   * Writes the GID.
   *
   * @param memory where to
   * @param offset where its first byte goes there
   */
  public void write(MemorySegment memory, long offset) {
    memory.set(BIG_ENDIAN, offset, prefix);
    memory.set(BIG_ENDIAN, offset + Long.BYTES, interfaceId);
  }

  /** {@return whether there is nothing in it, as in an entry of the table that is not used} */
  public boolean isEmpty() {
    return prefix == 0 && interfaceId == 0;
  }

  /** {@return whether it is only good on its own link: fe80::/10} */
  public boolean isLinkLocal() {
    return (prefix & LINK_LOCAL_MASK) == LINK_LOCAL;
  }

  /** {@return whether it stands for an IPv4 address} */
  public boolean isIpv4() {
    return prefix == 0 && interfaceId >>> Integer.SIZE == MAPPED;
  }

  /**
   * Returns the FLID, by which InfiniBand routers forward between subnets.
   *
   * @return 16 bits; 0 where there is none
   */
  public int flid() {
    return (int) (prefix >>> 16) & 0xffff;
  }

  /** Returns the address as people write it, IPv4 where it stands for one. */
  @Override
  public String toString() {
    byte[] bytes = ByteBuffer.allocate(BYTES).putLong(prefix).putLong(interfaceId).array();
    try {
      return InetAddress.getByAddress(bytes).getHostAddress();
    } catch (UnknownHostException e) {
      throw new AssertionError(e); // 16 bytes are an address
    }
  }
}
