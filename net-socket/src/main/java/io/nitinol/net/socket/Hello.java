// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.support.PeerProof;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The first bytes on a connection: the connecting side proves that it holds the key of the
 * listener's handle without showing it. The nonce is new for each connection and a listener takes
 * each one once, so that a recorded hello is worth nothing. All numbers are big-endian.
 *
 * <pre>
 *  0 magic   8 version   10 stream   12 streams   14 zero   16 nonce   32 HMAC-SHA-256 of 0 to 31
 * </pre>
 *
 * Stream numbers the TCP connections of one comm; now there is always one of them.
 */
final class Hello {
  /** The size of a hello in bytes. */
  static final int SIZE = 64;

  private static final long MAGIC = 0x4e54_4e48_454c_4c4fL; // "NTNHELLO"
  private static final int VERSION = 1;
  private static final int NONCE_OFFSET = 16;
  private static final int NONCE_SIZE = 16;
  private static final int MAC_OFFSET = 32;

  private Hello() {}

  /** Writes a hello into {@code out}, which has room for {@link #SIZE} bytes. */
  static void write(ByteBuffer out, byte[] key) {
    byte[] bytes = new byte[SIZE];
    ByteBuffer fields = ByteBuffer.wrap(bytes);
    fields.putLong(0, MAGIC);
    fields.putShort(8, (short) VERSION);
    fields.putShort(10, (short) 0);
    fields.putShort(12, (short) 1);
    fields.put(NONCE_OFFSET, Secrets.random(NONCE_SIZE));
    fields.put(MAC_OFFSET, mac(key, bytes));
    out.put(bytes);
  }

  /**
   * Looks at the bytes that have come so far.
   *
   * @param in what has come, from index 0 to its position
   * @return what makes this something else than a hello with {@code key}, or null: nothing yet
   */
  static @Nullable String objection(ByteBuffer in, byte[] key) {
    int known = in.position();
    for (int i = 0; i < Math.min(known, Long.BYTES); i++) {
      if (in.get(i) != (byte) (MAGIC >>> (56 - 8 * i))) {
        return "it does not speak this plugin's protocol";
      }
    }
    if (known < SIZE) {
      return null;
    }
    byte[] bytes = new byte[SIZE];
    in.get(0, bytes);
    ByteBuffer fields = ByteBuffer.wrap(bytes);
    if (fields.getShort(8) != VERSION) {
      return "its protocol version is " + fields.getShort(8) + ", this plugin speaks " + VERSION;
    }
    byte[] claimed = Arrays.copyOfRange(bytes, MAC_OFFSET, SIZE);
    if (!PeerProof.matches(mac(key, bytes), claimed)) {
      return "it does not know this listener's key";
    }
    if (fields.getShort(10) != 0 || fields.getShort(12) != 1) {
      return "it is stream "
          + fields.getShort(10)
          + " of "
          + fields.getShort(12)
          + ", this plugin takes one stream per connection";
    }
    return null;
  }

  /** Returns the nonce of a complete hello, in a form that can be compared. */
  static ByteBuffer nonce(ByteBuffer in) {
    byte[] nonce = new byte[NONCE_SIZE];
    in.get(NONCE_OFFSET, nonce);
    return ByteBuffer.wrap(nonce).asReadOnlyBuffer();
  }

  private static byte[] mac(byte[] key, byte[] hello) {
    return PeerProof.hmac(key, Arrays.copyOf(hello, MAC_OFFSET));
  }
}
