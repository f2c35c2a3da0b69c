// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import io.nitinol.toolkit.proof.HandshakeFormat;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What the connecting side says in its hello on each stream of a comm. A listener does not answer a
 * hello without the right code, which nobody can make without the key of the listener's handle. All
 * numbers are big-endian; offsets are those of the hello, whose words begin at 10.
 *
 * <pre>
 * 10 flags   12 index   14 streams   16 detail   18 zero   24 kind   32 comm id
 * </pre>
 *
 * <p>The answer's words are its flags, 2 bytes, and 4 of zero.
 *
 * @param comm what all streams of the comm have in common
 * @param index which stream it is
 * @param agreement of how many streams, and what else the handle says
 * @param flags the features that this side wants
 */
record StreamHello(CommId comm, int index, Agreement agreement, int flags) {
  /** Version 2 had no kind, and only Socket had it. */
  static final HandshakeFormat FORMAT =
      new HandshakeFormat(
          "this protocol",
          0x4e54_4e48_454c_4c4fL, // NTNHELLO
          0x4e54_4e41_4e53_5752L, // NTNANSWR
          3,
          38,
          6,
          "nitinol connection hello 3");

  private static final int KIND_OFFSET = 14;
  private static final int COMM_OFFSET = KIND_OFFSET + ConnectKind.SIZE;

  /** Writes the words of a connection of {@code plugin}. */
  byte[] words(String plugin) {
    ByteBuffer out = ByteBuffer.allocate(FORMAT.connectorWords());
    out.putShort(0, (short) flags);
    out.putShort(2, (short) index);
    out.putShort(4, (short) agreement.streams());
    out.putShort(6, (short) agreement.detail());
    ConnectKind.put(out, KIND_OFFSET, plugin);
    out.putLong(COMM_OFFSET, comm.high());
    out.putLong(COMM_OFFSET + 8, comm.low());
    return out.array();
  }

  /** Reads the words of a hello. */
  static StreamHello of(ByteBuffer words) {
    return new StreamHello(
        new CommId(words.getLong(COMM_OFFSET), words.getLong(COMM_OFFSET + 8)),
        Short.toUnsignedInt(words.getShort(2)),
        new Agreement(
            Short.toUnsignedInt(words.getShort(4)), Short.toUnsignedInt(words.getShort(6))),
        Short.toUnsignedInt(words.getShort(0)));
  }

  /** Returns what speaks against the words of a hello on a side of {@code plugin}, or null. */
  static @Nullable String objection(ByteBuffer words, String plugin) {
    return ConnectKind.objection(words, KIND_OFFSET, "it is a connection", plugin);
  }
}
