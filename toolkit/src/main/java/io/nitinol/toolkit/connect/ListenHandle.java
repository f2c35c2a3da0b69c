// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32;

/**
 * What a listener's handle says: where it listens, the key by which the two sides know each other,
 * of how many connections a comm consists, and of which plugin it is. The first 64 bytes are all of
 * it, so that a version 4 handle is large enough; the 16 bytes after them belong to the connecting
 * side, which notes there which attempt the buffer stands for. A version 4 handle has none after
 * them: while an attempt is under way, its note stands in place of the first 16 bytes. All numbers
 * are big-endian.
 *
 * <pre>
 *  0 magic      8 version   10 family (4 or 6)   12 port   14 zero
 * 16 address   32 key       48 streams           50 detail
 * 52 kind      60 CRC-32 of bytes 0 to 59
 * 64 attempt: owner         72 attempt: id
 * </pre>
 */
final class ListenHandle {
  private static final long MAGIC = 0x4e54_4e53_4f43_4b48L; // "NTNSOCKH"
  private static final int VERSION = StreamHello.FORMAT.version();
  private static final int KEY_SIZE = 16;
  private static final int KIND_OFFSET = 52;
  private static final int CRC_OFFSET = KIND_OFFSET + ConnectKind.SIZE;

  /** The bytes that say all. */
  static final int SIZE = 64;

  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final InetAddress address;
  private final int port;
  private final byte[] key;
  private final Agreement agreement;
  private final String plugin;

  ListenHandle(InetAddress address, int port, byte[] key, Agreement agreement, String plugin) {
    if (key.length != KEY_SIZE) {
      throw new IllegalArgumentException("key of " + key.length + " bytes, not " + KEY_SIZE);
    }
    this.address = address;
    this.port = port;
    this.key = key.clone();
    this.agreement = agreement;
    this.plugin = plugin;
  }

  /** Checks that {@code handle} is a buffer to which {@link #write} can write so many bytes. */
  static void checkBuffer(MemorySegment handle, int size) {
    if (handle == null) {
      throw new NetException(ResultCode.INVALID_ARGUMENT, "handle buffer is null");
    }
    if (handle.byteSize() < size || handle.isReadOnly()) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "handle buffer has %d bytes%s: expected a writable buffer of %d bytes",
              handle.byteSize(), handle.isReadOnly() ? " and is read-only" : "", size));
    }
  }

  void write(MemorySegment handle, int size) {
    byte[] bytes = new byte[size];
    byte[] ip = address.getAddress();
    ByteBuffer fields = ByteBuffer.wrap(bytes);
    fields.putLong(0, MAGIC);
    fields.putShort(8, (short) VERSION);
    fields.putShort(10, (short) (ip.length == 4 ? 4 : 6));
    fields.putShort(12, (short) port);
    fields.put(16, ip);
    fields.put(32, key);
    fields.putShort(48, (short) agreement.streams());
    fields.putShort(50, (short) agreement.detail());
    ConnectKind.put(fields, KIND_OFFSET, plugin);
    fields.putInt(CRC_OFFSET, checksum(bytes));
    MemorySegment.copy(bytes, 0, handle, ValueLayout.JAVA_BYTE, 0, bytes.length);
  }

  /**
   * Reads a handle, or fails with INVALID_ARGUMENT that says what is wrong with it.
   *
   * @param plugin the plugin on this side, of which the listener has to be
   */
  static ListenHandle read(MemorySegment handle, String plugin) {
    byte[] bytes = handle.asSlice(0, SIZE).toArray(ValueLayout.JAVA_BYTE);
    ByteBuffer fields = ByteBuffer.wrap(bytes);
    if (fields.getLong(0) != MAGIC) {
      throw invalid(
          "it does not begin as one, or it is a copy of one of 64 bytes that connect was using",
          bytes,
          plugin);
    }
    int version = fields.getShort(8);
    if (version != VERSION) {
      throw invalid(StreamHello.FORMAT.otherVersion(version), bytes, plugin);
    }
    if (fields.getInt(CRC_OFFSET) != checksum(bytes)) {
      throw invalid("its checksum is wrong", bytes, plugin);
    }
    String foreign = ConnectKind.objection(fields, KIND_OFFSET, "it is a listener", plugin);
    if (foreign != null) {
      throw invalid(foreign, bytes, plugin);
    }
    int family = fields.getShort(10);
    int port = fields.getShort(12) & 0xffff;
    if ((family != 4 && family != 6) || port == 0) {
      throw invalid("it names address family " + family + " and port " + port, bytes, plugin);
    }
    Agreement agreement =
        new Agreement(
            Short.toUnsignedInt(fields.getShort(48)), Short.toUnsignedInt(fields.getShort(50)));
    if (!agreement.isPossible()) {
      throw invalid("it asks for " + agreement.label(), bytes, plugin);
    }
    try {
      InetAddress address =
          InetAddress.getByAddress(Arrays.copyOfRange(bytes, 16, family == 4 ? 20 : 32));
      return new ListenHandle(address, port, Arrays.copyOfRange(bytes, 32, 48), agreement, plugin);
    } catch (UnknownHostException e) {
      throw new AssertionError("addresses of 4 and 16 bytes are always known", e);
    }
  }

  private static int checksum(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, CRC_OFFSET);
    return (int) crc.getValue();
  }

  private static NetException invalid(String why, byte[] bytes, String plugin) {
    // The first 16 bytes tell a foreign handle from a broken one; the key is not shown.
    return new NetException(
        ResultCode.INVALID_ARGUMENT,
        ErrorText.of(
            "not a handle that listen of the %s plugin wrote: %s (first bytes %s); do all ranks"
                + " use the same network plugin, in the same version?",
            plugin, why, HexFormat.of().formatHex(bytes, 0, 16)));
  }

  InetAddress address() {
    return address;
  }

  int port() {
    return port;
  }

  byte[] key() {
    return key.clone();
  }

  /** Returns of how many connections a comm consists, and what else the listening side chose. */
  Agreement agreement() {
    return agreement;
  }

  /** Returns the plugin that the listener is of. */
  String plugin() {
    return plugin;
  }

  /** Returns whether {@code other} stands for the very same listener. */
  boolean sameListener(ListenHandle other) {
    return port == other.port && address.equals(other.address) && Arrays.equals(key, other.key);
  }

  /**
   * Returns whether a note in a handle of so many bytes takes the place of what the handle says.
   */
  static boolean isNoteInPlace(int size) {
    return size == SIZE;
  }

  private static int noteOffset(int size) {
    return isNoteInPlace(size) ? 0 : SIZE;
  }

  /**
   * Returns the owner of the attempt noted in a handle's buffer; where none is noted, 0 or the
   * magic number.
   */
  static long attemptOwner(MemorySegment handle, int size) {
    return handle.get(LONG, noteOffset(size));
  }

  /** Returns the id of the attempt noted in a handle's buffer. */
  static long attemptId(MemorySegment handle, int size) {
    return handle.get(LONG, noteOffset(size) + Long.BYTES);
  }

  /** Notes an attempt in the buffer of a handle of so many bytes. */
  static void noteAttempt(MemorySegment handle, int size, long owner, long id) {
    handle.set(LONG, noteOffset(size), owner);
    handle.set(LONG, noteOffset(size) + Long.BYTES, id);
  }
}
