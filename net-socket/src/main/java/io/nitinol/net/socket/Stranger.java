// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** A connection that reached a listener and has not yet proven that it is a peer. */
final class Stranger {
  /** What came of one look at a stranger. */
  enum Verdict {
    /** It has time left to say more. */
    WAIT,
    /** It is a peer. */
    PEER,
    /** It is none, or it is gone: {@link #reason} says why. */
    DROP
  }

  private final SocketChannel channel;
  private final String from;
  private final long since;
  private final ByteBuffer hello = ByteBuffer.allocate(Hello.SIZE);
  private @Nullable String reason;

  /**
   * Takes over a channel, which is closed if that fails.
   *
   * @param since when it came, on the clock of System.nanoTime
   */
  Stranger(SocketChannel channel, long since) throws IOException {
    this.channel = channel;
    this.since = since;
    try {
      channel.configureBlocking(false);
      this.from = Addresses.text(channel.getRemoteAddress());
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  Verdict look(byte[] key, long now, long limit) {
    int came;
    try {
      came = channel.read(hello);
    } catch (IOException e) {
      return drop("its connection failed before its hello was complete: " + e.getMessage());
    }
    String objection = Hello.objection(hello, key);
    if (objection != null) {
      return drop(objection);
    }
    if (!hello.hasRemaining()) {
      return Verdict.PEER;
    }
    if (came < 0) {
      return drop("it closed the connection after " + hello.position() + " bytes of its hello");
    }
    if (now - since > limit) {
      return drop(
          "after "
              + limit / 1_000_000
              + " ms it had sent "
              + hello.position()
              + " of "
              + Hello.SIZE
              + " bytes of its hello ("
              + SocketVariables.HANDSHAKE_MSEC
              + ")");
    }
    return Verdict.WAIT;
  }

  private Verdict drop(String why) {
    reason = why;
    return Verdict.DROP;
  }

  /** Returns why the last look ended in DROP. */
  String reason() {
    return String.valueOf(reason);
  }

  /** Returns its address for messages. */
  String from() {
    return from;
  }

  /** Returns the nonce of a peer's hello. */
  ByteBuffer nonce() {
    return Hello.nonce(hello);
  }

  SocketChannel channel() {
    return channel;
  }
}
