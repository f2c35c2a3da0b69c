// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.toolkit.PeerProof;
import io.nitinol.toolkit.PeerProof.Role;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** Two TLS channels with a conduit between them. */
final class TlsPair {
  static final byte[] SECRET = "sixteen bytes ok".getBytes(StandardCharsets.US_ASCII);

  static final TlsBinding BINDING =
      (side, exported) -> PeerProof.hmac(SECRET, new byte[] {(byte) side.ordinal()}, exported);

  final Lent lent = new Lent();
  final Conduit conduit;
  final TlsChannel sender;
  final TlsChannel receiver;

  TlsPair(int capacity) {
    this(capacity, TlsContext.ofSecret(SECRET), TlsContext.ofSecret(SECRET));
  }

  TlsPair(int capacity, TlsContext connecting, TlsContext accepting) {
    this(capacity, connecting, BINDING, accepting, BINDING);
  }

  TlsPair(int capacity, TlsBinding ofSender, TlsBinding ofReceiver) {
    this(capacity, TlsContext.ofSecret(SECRET), ofSender, TlsContext.ofSecret(SECRET), ofReceiver);
  }

  private TlsPair(
      int capacity,
      TlsContext connecting,
      TlsBinding ofSender,
      TlsContext accepting,
      TlsBinding ofReceiver) {
    conduit = new Conduit(capacity);
    sender =
        new TlsChannel(conduit.connecting, connecting, Role.CONNECTOR, ofSender, small(), lent);
    receiver =
        new TlsChannel(conduit.accepting, accepting, Role.ACCEPTOR, ofReceiver, small(), lent);
  }

  private static ByteBuffer small() {
    return ByteBuffer.allocateDirect(2000);
  }

  /** Lends a new buffer each time, and spoils those that come back. */
  static final class Lent implements LargeBuffers {
    final Set<ByteBuffer> out = Collections.newSetFromMap(new IdentityHashMap<>());

    @Override
    public ByteBuffer take() {
      ByteBuffer buffer = ByteBuffer.allocateDirect(TlsChannel.bufferSize(4));
      out.add(buffer);
      return buffer;
    }

    @Override
    public void give(ByteBuffer buffer) {
      assertThat(out.remove(buffer)).as("a buffer that is lent").isTrue();
      buffer.clear();
      for (int i = 0; i < buffer.capacity(); i++) {
        buffer.put(i, (byte) 0x5a);
      }
    }
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
