// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * A member's handle: the address of its switch, and in rank 0's the number of the group. It has 64
 * bytes, as handles of version 4 do, highest byte first:
 *
 * <pre>
 *  0 magic   8 flags   9 zero   10 port   12 scope of the address   16 address   32 group   48 key
 * </pre>
 *
 * <p>Of an embedded switch the key is the switch's, and only the group's members may know it. Of
 * other switches it is random and tells members of one group apart.
 *
 * @param isEmbedded whether the switch is part of the member's own process
 * @param address the switch's address
 * @param group the group, where this is the handle of rank 0
 * @param key the switch's key, or any
 */
public record MemberHandle(boolean isEmbedded, InetSocketAddress address, GroupId group, Key key) {
  /** How many bytes a handle has. */
  public static final int BYTES = 64;

  /** How many bytes the key in it has. */
  public static final int KEY = 16;

  /** "NiSwHnd" and the version, 1. */
  private static final long MAGIC = 0x4e695377486e6401L;

  private static final int EMBEDDED = 1;
  private static final int IPV6 = 2;
  private static final int ADDRESS = 16;

  /**
   * The key in a handle; shows nothing of itself.
   *
   * @param high its first 8 bytes
   * @param low its last 8 bytes
   */
  public record Key(long high, long low) {
    /**
     * Takes the bytes of a key.
     *
     * @param bytes {@link MemberHandle#KEY} bytes
     * @return the key
     */
    public static Key of(byte[] bytes) {
      ByteBuffer in = ByteBuffer.wrap(bytes);
      return new Key(in.getLong(), in.getLong());
    }

    /**
     * Makes a random key.
     *
     * @return a new key
     */
    public static Key random() {
      byte[] bytes = new byte[KEY];
      new SecureRandom().nextBytes(bytes);
      return of(bytes);
    }

    /**
     * Returns its bytes.
     *
     * @return {@link MemberHandle#KEY} bytes
     */
    public byte[] bytes() {
      return ByteBuffer.allocate(KEY).putLong(high).putLong(low).array();
    }

    @Override
    public String toString() {
      return "key";
    }
  }

  /**
   * Writes the handle.
   *
   * @param buffer where to; {@link #BYTES} bytes or more
   */
  public void writeTo(MemorySegment buffer) {
    InetAddress host = address.getAddress();
    byte[] bytes = host.getAddress();
    boolean ipv6 = host instanceof Inet6Address;
    ByteBuffer out = ByteBuffer.allocate(BYTES);
    out.putLong(MAGIC).put((byte) ((isEmbedded ? EMBEDDED : 0) | (ipv6 ? IPV6 : 0)));
    out.put((byte) 0).putShort((short) address.getPort());
    out.putInt(host instanceof Inet6Address scoped ? scoped.getScopeId() : 0);
    out.put(bytes).position(32);
    group.to(out);
    out.put(key.bytes());
    MemorySegment.copy(out.array(), 0, buffer, ValueLayout.JAVA_BYTE, 0, BYTES);
  }

  /**
   * Reads a handle.
   *
   * @param buffer {@link #BYTES} bytes or more
   * @return what {@link #writeTo} wrote there, or null where it is something else
   */
  public static @Nullable MemberHandle readFrom(MemorySegment buffer) {
    byte[] bytes = buffer.asSlice(0, BYTES).toArray(ValueLayout.JAVA_BYTE);
    ByteBuffer in = ByteBuffer.wrap(bytes);
    if (in.getLong() != MAGIC) {
      return null;
    }
    int flags = in.get();
    int zero = in.get();
    int port = Short.toUnsignedInt(in.getShort());
    int scope = in.getInt();
    boolean ipv6 = (flags & IPV6) != 0;
    byte[] host = new byte[ipv6 ? ADDRESS : 4];
    in.get(host).position(32);
    GroupId group = GroupId.from(in);
    Key key = new Key(in.getLong(), in.getLong());
    if (zero != 0 || (flags & ~(EMBEDDED | IPV6)) != 0 || port == 0 || scope < 0) {
      return null;
    }
    return new MemberHandle(
        (flags & EMBEDDED) != 0, new InetSocketAddress(host(host, scope), port), group, key);
  }

  private static InetAddress host(byte[] bytes, int scope) {
    try {
      return bytes.length == ADDRESS && scope != 0
          ? Inet6Address.getByAddress(null, bytes, scope)
          : InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(bytes.length + " bytes are no address", e); // 4 and 16 are
    }
  }
}
