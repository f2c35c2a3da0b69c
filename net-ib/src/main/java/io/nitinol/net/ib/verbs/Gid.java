// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

import io.nitinol.net.ib.ffi.ibv_gid;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * A global identifier: 16 bytes, on RoCE an IPv6 address or an IPv4 address mapped into one.
 *
 * @param subnetPrefix the first eight bytes as a big-endian number
 * @param interfaceId the last eight bytes as a big-endian number
 */
public record Gid(long subnetPrefix, long interfaceId) {
  /** Its size in bytes. */
  public static final int BYTES = 16;

  /** ::ffff:0:0/96, above the IPv4 address. */
  private static final long MAPPED = 0xffff;

  static Gid of(MemorySegment gid) {
    MemorySegment global = ibv_gid.global(gid);
    return new Gid(
        Long.reverseBytes(ibv_gid.global.subnet_prefix(global)),
        Long.reverseBytes(ibv_gid.global.interface_id(global)));
  }

  /**
   * {@return the identifier of 16 bytes in network order}
   *
   * @param bytes exactly 16
   */
  public static Gid of(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("a GID has 16 bytes, not " + bytes.length);
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new Gid(buffer.getLong(), buffer.getLong());
  }

  /** {@return the 16 bytes in network order} */
  public byte[] toBytes() {
    return ByteBuffer.allocate(BYTES).putLong(subnetPrefix).putLong(interfaceId).array();
  }

  /** {@return whether there is nothing in it, as in an unused entry of a port's table} */
  public boolean isEmpty() {
    return subnetPrefix == 0 && interfaceId == 0;
  }

  /** {@return the FLID, by which InfiniBand routers forward between subnets; 0 for none} */
  public int flid() {
    return (int) (subnetPrefix >>> 16) & 0xffff;
  }

  /** {@return whether it stands for an IPv4 address} */
  public boolean isIpv4() {
    return subnetPrefix == 0 && interfaceId >>> Integer.SIZE == MAPPED;
  }

  void write(MemorySegment gid) {
    MemorySegment global = ibv_gid.global(gid);
    ibv_gid.global.subnet_prefix(global, Long.reverseBytes(subnetPrefix));
    ibv_gid.global.interface_id(global, Long.reverseBytes(interfaceId));
  }

  /** {@return eight groups of four hexadecimal digits, as the kernel writes it in sysfs} */
  @Override
  public String toString() {
    String digits = HexFormat.of().formatHex(toBytes());
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < digits.length(); i += 4) {
      text.append(i == 0 ? "" : ":").append(digits, i, i + 4);
    }
    return text.toString();
  }
}
