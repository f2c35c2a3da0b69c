// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.support.PeerProof;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The first bytes on each stream of a comm, from the connecting side: which stream it is, and a
 * code that nobody can make without the key of the listener's handle. A listener says nothing to
 * who sends something else. The code alone proves little, since it can be overheard and repeated;
 * {@link Answer} and the connecting side's proof follow. All numbers are big-endian.
 *
 * <pre>
 *  0 magic    8 version   10 flags   12 index   14 streams   16 threads   18 zero
 * 24 comm id               40 nonce              72 HMAC-SHA-256 of 0 to 71
 * </pre>
 */
final class Hello {
  /** The size of a hello in bytes. */
  static final int SIZE = 104;

  /** The version of what the two sides say to each other. */
  static final int VERSION = 2;

  /** The flag of a side that wants what follows encrypted. */
  static final int TLS = 1;

  private static final long MAGIC = 0x4e54_4e48_454c_4c4fL; // "NTNHELLO"
  private static final int COMM_OFFSET = 24;
  private static final int NONCE_OFFSET = 40;
  private static final int CODE_OFFSET = NONCE_OFFSET + PeerProof.NONCE_BYTES;
  private static final byte[] PURPOSE =
      "nitinol socket hello 2".getBytes(StandardCharsets.US_ASCII);

  private final byte[] bytes;
  private final ByteBuffer fields;

  private Hello(byte[] bytes) {
    this.bytes = bytes;
    this.fields = ByteBuffer.wrap(bytes);
  }

  /** Makes the hello of one stream, with a new nonce. */
  static Hello of(byte[] key, CommId comm, int index, StreamCount count, int flags) {
    byte[] bytes = new byte[SIZE];
    ByteBuffer out = ByteBuffer.wrap(bytes);
    out.putLong(0, MAGIC);
    out.putShort(8, (short) VERSION);
    out.putShort(10, (short) flags);
    out.putShort(12, (short) index);
    out.putShort(14, (short) count.total());
    out.putShort(16, (short) count.threads());
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
   * @return what makes this something else than a hello with {@code key}, or null: nothing yet
   */
  static @Nullable String objection(ByteBuffer in, byte[] key) {
    int known = in.position();
    if (!Magic.begins(in, MAGIC)) {
      return "it does not speak this plugin's protocol";
    }
    if (known < SIZE) {
      return null;
    }
    Hello hello = of(in);
    int version = hello.fields.getShort(8);
    if (version != VERSION) {
      return "its protocol version is " + version + ", this plugin speaks " + VERSION;
    }
    byte[] claimed = Arrays.copyOfRange(hello.bytes, CODE_OFFSET, SIZE);
    if (!PeerProof.matches(code(key, hello.bytes), claimed)) {
      return "it does not know this listener's key";
    }
    return null;
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

  StreamCount count() {
    return new StreamCount(
        Short.toUnsignedInt(fields.getShort(14)) - 1, Short.toUnsignedInt(fields.getShort(16)));
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
