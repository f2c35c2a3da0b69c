// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.connect;

import io.nitinol.core.transport.Connectors.Use;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What the ranks that make a connection tell one another over the bootstrap, as one byte kind, one
 * byte use, four bytes channel, and the handle where there is one.
 */
final class ConnectNotice {
  private static final int FRONT = 6;
  private static final int MOST_HANDLE_BYTES = 1024;
  private static final Kind[] KINDS = Kind.values();
  private static final Use[] USES = Use.values();

  enum Kind {
    /** The receiver waits, and this is its handle. */
    OFFER,
    /** The sender has begun to connect to it. */
    DIAL,
    /** The first rank of a host has made memory to share, which this describes. */
    TEAM
  }

  private final Kind kind;
  private final Use use;
  private final int channel;
  private final byte[] handle;

  private ConnectNotice(Kind kind, Use use, int channel, byte[] handle) {
    this.kind = kind;
    this.use = use;
    this.channel = channel;
    this.handle = handle;
  }

  static ConnectNotice offer(Use use, int channel, byte[] handle) {
    return new ConnectNotice(Kind.OFFER, use, channel, handle);
  }

  static ConnectNotice dial(Use use, int channel) {
    return new ConnectNotice(Kind.DIAL, use, channel, new byte[0]);
  }

  static ConnectNotice team(int channel, byte[] description) {
    return new ConnectNotice(Kind.TEAM, Use.COLLECTIVE, channel, description);
  }

  Kind kind() {
    return kind;
  }

  Use use() {
    return use;
  }

  int channel() {
    return channel;
  }

  /** Returns what is needed to take part, the object's own; empty where nothing is. */
  byte[] handle() {
    return handle;
  }

  byte[] toBytes() {
    return ByteBuffer.allocate(FRONT + handle.length)
        .put((byte) kind.ordinal())
        .put((byte) use.ordinal())
        .putInt(channel)
        .put(handle)
        .array();
  }

  /**
   * Reads what {@link #toBytes} has written.
   *
   * @throws IllegalArgumentException when it has not
   */
  static ConnectNotice of(byte[] bytes, int channels) {
    if (bytes.length < FRONT || bytes.length > FRONT + MOST_HANDLE_BYTES) {
      throw new IllegalArgumentException("a notice of " + bytes.length + " bytes");
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    int kind = in.get();
    int use = in.get();
    int channel = in.getInt();
    if (kind < 0
        || kind >= KINDS.length
        || use < 0
        || use >= USES.length
        || channel < 0
        || channel >= channels) {
      throw new IllegalArgumentException(
          "a notice of kind " + kind + " for use " + use + " of channel " + channel);
    }
    return new ConnectNotice(
        KINDS[kind], USES[use], channel, Arrays.copyOfRange(bytes, FRONT, bytes.length));
  }
}
