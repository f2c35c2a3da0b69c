// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.fuzz.FuzzTarget;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.zip.CRC32;

/**
 * Unique ids, as bytes with and without a right checksum, and as text of a variable or a file. An
 * id that is read is equal to the one that its bytes and its text are read as.
 */
public final class UniqueIdTarget implements FuzzTarget {
  @Override
  public void run(byte[] input) {
    byte[] bytes = Arrays.copyOf(input, UniqueId.BYTES);
    id(bytes);
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, UniqueId.BYTES - 4);
    ByteBuffer.wrap(bytes).putInt(UniqueId.BYTES - 4, (int) crc.getValue());
    id(bytes);
    id(input);
    try {
      same(UniqueId.parse(new String(input, StandardCharsets.UTF_8)));
    } catch (BootstrapException e) {
      FuzzTarget.require(e.getMessage() != null, "no reason");
    }
  }

  private static void id(byte[] bytes) {
    UniqueId id;
    try {
      id = UniqueId.fromBytes(bytes);
    } catch (BootstrapException e) {
      FuzzTarget.require(e.getMessage() != null, "no reason");
      return;
    }
    same(id);
  }

  private static void same(UniqueId id) {
    FuzzTarget.require(UniqueId.fromBytes(id.toBytes()).equals(id), "another id of its bytes");
    FuzzTarget.require(UniqueId.parse(id.toString()).equals(id), "another id of its text");
    FuzzTarget.require(!id.describe().isEmpty(), "no address");
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(UniqueId.class, Address.class);
  }

  @Override
  public List<byte[]> seeds() {
    InetSocketAddress four = new InetSocketAddress(InetAddress.ofLiteral("10.0.0.1"), 4711);
    InetSocketAddress six = new InetSocketAddress(InetAddress.ofLiteral("2001:db8::1"), 4712);
    UniqueId id = UniqueId.atRank0(List.of(four, six), new byte[16]);
    // More addresses than there is room for: the last one reaches into the checksum.
    UniqueId full = UniqueId.atRank0(Collections.nCopies(15, four), new byte[16]);
    return List.of(id.toBytes(), id.toString().getBytes(StandardCharsets.UTF_8), full.toBytes());
  }

  @Override
  public int mostBytes() {
    return 280;
  }
}
