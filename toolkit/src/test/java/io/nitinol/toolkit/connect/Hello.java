// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.PeerProof;
import io.nitinol.toolkit.proof.Magic;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The hello of a stream byte by byte, as it has been on the wire since version 3: written here a
 * second time, so that the tests find out where the code behind {@link StreamHello} writes or reads
 * another one. All numbers are big-endian.
 *
 * <pre>
 *  0 magic    8 version   10 flags   12 index   14 streams   16 detail   18 zero
 * 24 kind    32 comm id               48 nonce             80 HMAC-SHA-256 of 0 to 79
 * </pre>
 */
final class Hello {
  /** The size of a hello in bytes. */
  static final int SIZE = 112;

  static final int VERSION = 3;

  private static final long MAGIC = 0x4e54_4e48_454c_4c4fL; // "NTNHELLO"
  private static final int VERSION_OFFSET = 8;
  private static final int VERSION_END = VERSION_OFFSET + Short.BYTES;
  private static final int KIND_OFFSET = 24;
  private static final int COMM_OFFSET = KIND_OFFSET + ConnectKind.SIZE;
  private static final int NONCE_OFFSET = COMM_OFFSET + CommId.SIZE;
  private static final int CODE_OFFSET = NONCE_OFFSET + PeerProof.NONCE_BYTES;
  private static final byte[] PURPOSE =
      "nitinol connection hello 3".getBytes(StandardCharsets.US_ASCII);

  private final byte[] bytes;
  private final ByteBuffer fields;

  private Hello(byte[] bytes) {
    this.bytes = bytes;
    this.fields = ByteBuffer.wrap(bytes);
  }

  /** Makes the hello of one stream, with a new nonce. */
  static Hello of(
      String plugin, byte[] key, CommId comm, int index, Agreement agreement, int flags) {
    byte[] bytes = new byte[SIZE];
    ByteBuffer out = ByteBuffer.wrap(bytes);
    out.putLong(0, MAGIC);
    out.putShort(VERSION_OFFSET, (short) VERSION);
    out.putShort(10, (short) flags);
    out.putShort(12, (short) index);
    out.putShort(14, (short) agreement.streams());
    out.putShort(16, (short) agreement.detail());
    ConnectKind.put(out, KIND_OFFSET, plugin);
    out.putLong(COMM_OFFSET, comm.high());
    out.putLong(COMM_OFFSET + 8, comm.low());
    out.put(NONCE_OFFSET, PeerProof.nonce());
    out.put(CODE_OFFSET, code(key, bytes));
    return new Hello(bytes);
  }

  /** Takes a complete hello that {@link #objection} has nothing against. */
  static Hello of(ByteBuffer in) {
    byte[] bytes = new byte[SIZE];
    in.get(0, bytes);
    return new Hello(bytes);
  }

  /**
   * Looks at the bytes that have come so far.
   *
   * @param in what has come, from index 0 to its position
   * @param plugin the plugin on this side
   * @return what makes this something else than a hello of {@code plugin} with {@code key}, or
   *     null: nothing yet
   */
  static @Nullable String objection(ByteBuffer in, byte[] key, String plugin) {
    if (!Magic.begins(in, MAGIC)) {
      return "it does not speak this protocol";
    }
    int known = in.position();
    // Before the rest has come: a hello of another version may be shorter.
    if (known >= VERSION_END && in.getShort(VERSION_OFFSET) != VERSION) {
      return differs(in.getShort(VERSION_OFFSET));
    }
    if (known < SIZE) {
      return null;
    }
    Hello hello = of(in);
    byte[] claimed = Arrays.copyOfRange(hello.bytes, CODE_OFFSET, SIZE);
    if (!PeerProof.matches(code(key, hello.bytes), claimed)) {
      return "it does not know this listener's key";
    }
    return ConnectKind.objection(hello.fields, KIND_OFFSET, "it is a connection", plugin);
  }

  /** Returns the objection against a side of another version. */
  static String differs(int version) {
    return ErrorText.of(
        "its protocol version is %d, this side speaks %d",
        Short.toUnsignedInt((short) version), VERSION);
  }

  private static byte[] code(byte[] key, byte[] bytes) {
    return PeerProof.hmac(key, PURPOSE, Arrays.copyOf(bytes, CODE_OFFSET));
  }

  CommId comm() {
    return new CommId(fields.getLong(COMM_OFFSET), fields.getLong(COMM_OFFSET + 8));
  }

  int flags() {
    return Short.toUnsignedInt(fields.getShort(10));
  }

  int index() {
    return Short.toUnsignedInt(fields.getShort(12));
  }

  Agreement agreement() {
    return new Agreement(
        Short.toUnsignedInt(fields.getShort(14)), Short.toUnsignedInt(fields.getShort(16)));
  }

  /** Returns the nonce in a form that can be compared. */
  ByteBuffer nonce() {
    return ByteBuffer.wrap(Arrays.copyOfRange(bytes, NONCE_OFFSET, CODE_OFFSET));
  }

  /** Returns all of it; not to be changed. */
  byte[] bytes() {
    return bytes;
  }
}
