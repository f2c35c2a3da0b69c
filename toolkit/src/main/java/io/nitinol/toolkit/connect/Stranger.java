// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import io.nitinol.toolkit.Addresses;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.PeerProof.Role;
import io.nitinol.toolkit.proof.Handshake;
import io.nitinol.toolkit.proof.RefusedException;
import io.nitinol.toolkit.proof.Transcript;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * A connection that reached a listener and has not yet proven that it is a stream of a peer. No
 * more bytes are read of it than the {@link Handshake} has.
 */
final class Stranger {
  /** What came of one look at a stranger. */
  enum Verdict {
    /** It has time left to say more. */
    WAIT,
    /** Its hello has the right code, and it waits for an answer. */
    GREETED,
    /** It is a stream of a peer. */
    PROVEN,
    /** It is none, or it is gone: {@link #reason} says why. */
    DROP
  }

  private final SocketChannel channel;
  private final String from;
  private final ConnectOptions options;
  private final StreamGreeting greeting;
  private final Handshake handshake;
  private long since;
  private ByteBuffer toSay = ByteBuffer.allocate(0);
  private @Nullable String reason;

  /**
   * Takes over a channel, which is closed if that fails.
   *
   * @param since when it came, on the clock of System.nanoTime
   * @param key the key of the listener's handle
   * @param options with the time it has for its hello, and from its answer on for its proof
   */
  Stranger(SocketChannel channel, long since, byte[] key, ConnectOptions options)
      throws IOException {
    this.channel = channel;
    this.since = since;
    this.options = options;
    this.greeting = StreamGreeting.listening(key, options.plugin(), options.features().flags());
    this.handshake = new Handshake(StreamHello.FORMAT, Role.ACCEPTOR, greeting);
    try {
      channel.configureBlocking(false);
      this.from = Addresses.text(channel.getRemoteAddress());
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Reads the bytes that have come, and answers them. A peer whose bytes have come in time is not
   * late, even if this call finds them long after. A peer that waits for its answer owes nothing.
   */
  Verdict look(long now) {
    try {
      if (toSay.hasRemaining()) {
        channel.write(toSay);
      }
      int came = handshake.read(channel);
      if (handshake.isDone()) {
        return Verdict.PROVEN;
      }
      if (came < 0) {
        return drop("it closed the connection after " + progress());
      }
    } catch (RefusedException e) {
      return drop(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return drop("its connection failed before it had proven itself: " + e.getMessage());
    }
    if (hasGreeted() && !handshake.hasAnswered()) {
      return Verdict.GREETED;
    }
    if (now - since > options.handshakeNanos()) {
      return drop(
          ErrorText.of(
              "after %d ms it had sent %s (%s)",
              options.handshakeMillis().value(), progress(), options.handshakeMillis().variable()));
    }
    return Verdict.WAIT;
  }

  private String progress() {
    return ErrorText.of(
        "%d of %d bytes of its %s",
        handshake.received(), handshake.due(), hasGreeted() ? "proof" : "hello");
  }

  private Verdict drop(String why) {
    reason = why;
    return Verdict.DROP;
  }

  /**
   * Lets the next look answer the hello.
   *
   * @param now from when on it has time for its proof
   */
  void answer(long now) {
    since = now;
    toSay = handshake.answer();
  }

  /** Returns what was said with one that has been answered. */
  Transcript transcript() {
    return handshake.transcript();
  }

  /** Returns whether it has sent a hello with the right code. */
  boolean hasGreeted() {
    return handshake.hasGreeted();
  }

  /** Returns the hello of one that has greeted. */
  StreamHello hello() {
    return greeting.heard();
  }

  /** Returns the nonce of one that has greeted, in a form that can be compared. */
  ByteBuffer nonce() {
    return handshake.theirNonce();
  }

  /** Returns why the last look ended in DROP. */
  String reason() {
    return String.valueOf(reason);
  }

  /** Returns its address for messages. */
  String from() {
    return from;
  }

  SocketChannel channel() {
    return channel;
  }
}
