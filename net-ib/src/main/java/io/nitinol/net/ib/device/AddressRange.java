// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import io.nitinol.net.ib.config.IbVariables;
import io.nitinol.net.ib.verbs.Gid;
import io.nitinol.toolkit.ErrorText;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * The subnet of {@code NCCL_IB_ADDR_RANGE}, such as {@code 10.1.0.0/16}; an address without a
 * number of bits is only itself.
 *
 * @param ipv6 whether it is one of IPv6 addresses
 * @param network an address in it, as a GID
 * @param bits how many leading bits of a GID count, 0 to 128
 */
record AddressRange(boolean ipv6, Gid network, int bits) {

  /**
   * Parses the variable's text.
   *
   * @throws IllegalArgumentException for another text; the message names the variable
   */
  static AddressRange parse(String text) {
    int slash = text.indexOf('/');
    String address = (slash < 0 ? text : text.substring(0, slash)).strip();
    try {
      byte[] bytes = InetAddress.ofLiteral(address).getAddress();
      if (bytes.length < Gid.BYTES && address.chars().filter(c -> c == '.').count() != 3) {
        throw new IllegalArgumentException(address); // 10.1 is 10.0.0.1 to inet_aton
      }
      int most = bytes.length * Byte.SIZE;
      int bits = slash < 0 ? most : Integer.parseInt(text.substring(slash + 1).strip());
      if (bits < 0 || bits > most) {
        throw new IllegalArgumentException(bits + " bits of " + most);
      }
      ByteBuffer whole = ByteBuffer.allocate(Gid.BYTES);
      if (bytes.length < Gid.BYTES) {
        whole.putShort(10, (short) 0xffff); // where an IPv4 address is in a GID
      }
      whole.put(Gid.BYTES - bytes.length, bytes);
      return new AddressRange(
          bytes.length == Gid.BYTES,
          new Gid(whole.getLong(0), whole.getLong(Long.BYTES)),
          bits + Gid.BYTES * Byte.SIZE - most);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          ErrorText.of(
              "%s=%s: expected %s, such as 10.1.0.0/16 or fd00:1::/32",
              IbVariables.ADDR_RANGE, text, IbVariables.ADDR_RANGE.form()),
          e);
    }
  }

  boolean contains(Gid gid) {
    return gid.isIpv4() != ipv6
        && agree(gid.subnetPrefix(), network.subnetPrefix(), Math.min(bits, Long.SIZE))
        && agree(gid.interfaceId(), network.interfaceId(), bits - Long.SIZE);
  }

  private static boolean agree(long one, long other, int leading) {
    return leading <= 0 || (one ^ other) >>> (Long.SIZE - leading) == 0;
  }
}
