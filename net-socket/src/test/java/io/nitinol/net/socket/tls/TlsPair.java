// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Two TLS channels with a conduit between them. */
final class TlsPair {
  static final byte[] SECRET = "sixteen bytes ok".getBytes(StandardCharsets.US_ASCII);

  final Conduit conduit;
  final TlsChannel sender;
  final TlsChannel receiver;

  TlsPair(int capacity) {
    this(capacity, TlsContext.ofSecret(SECRET), TlsContext.ofSecret(SECRET));
  }

  TlsPair(int capacity, TlsContext connecting, TlsContext accepting) {
    conduit = new Conduit(capacity);
    sender = TlsChannel.connecting(conduit.connecting, connecting, buffer(2), buffer(4));
    receiver = TlsChannel.accepting(conduit.accepting, accepting, buffer(4), buffer(2));
  }

  private static ByteBuffer buffer(int records) {
    return ByteBuffer.allocateDirect(TlsChannel.bufferSize(records));
  }

  TlsPair shaken() throws IOException {
    boolean sending = false;
    boolean receiving = false;
    for (int i = 0; i < 10_000 && !(sending && receiving); i++) {
      sending = sending || sender.handshake();
      receiving = receiving || receiver.handshake();
    }
    assertThat(sending).isTrue();
    assertThat(receiving).isTrue();
    return this;
  }

  /** Moves what can be moved of {@code out} into {@code in} until neither side gets on. */
  void move(ByteBuffer out, ByteBuffer in) throws IOException {
    for (boolean moved = true; moved; ) {
      moved = sender.write(out) > 0;
      moved |= !sender.flush();
      moved |= receiver.read(in) > 0;
    }
  }
}
