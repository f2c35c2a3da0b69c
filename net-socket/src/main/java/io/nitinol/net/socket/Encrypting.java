// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.net.socket.tls.TlsBinding;
import io.nitinol.net.socket.tls.TlsContext;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** The streams of one comm, all proven, while their TLS handshakes are under way. */
final class Encrypting {
  /** How one side begins TLS on a stream; {@link TlsWire} has both. */
  interface Beginning {
    TlsWire on(
        SocketChannel channel,
        SocketDevice device,
        SocketOptions options,
        TlsContext context,
        TlsBinding binding)
        throws IOException;
  }

  private final List<TlsWire> wires;
  private final boolean[] complete;

  private Encrypting(List<TlsWire> wires) {
    this.wires = wires;
    this.complete = new boolean[wires.size()];
  }

  /**
   * Takes over the channels of a comm, which are all closed if that fails.
   *
   * @param said what has been said and proven on each of them
   */
  static Encrypting begin(
      SocketChannel[] channels,
      Transcript[] said,
      SocketDevice device,
      SocketOptions options,
      TlsContext context,
      Beginning side)
      throws IOException {
    List<TlsWire> wires = new ArrayList<>();
    try {
      for (int i = 0; i < channels.length; i++) {
        wires.add(side.on(channels[i], device, options, context, said[i]));
      }
      return new Encrypting(wires);
    } catch (IOException | RuntimeException | Error e) {
      for (TlsWire wire : wires) {
        wire.close();
      }
      for (int i = wires.size(); i < channels.length; i++) {
        channels[i].close();
      }
      throw e;
    }
  }

  /**
   * Goes on with all handshakes as far as that is possible without waiting.
   *
   * @return whether all of them are complete
   * @throws IOException when one has failed; {@link #close} is due then. An SSLException where one
   *     of them was refused: the peer may have cut the others for it
   */
  boolean advance() throws IOException {
    boolean all = true;
    @Nullable IOException failure = null;
    for (int i = 0; i < complete.length; i++) {
      try {
        complete[i] = complete[i] || wires.get(i).handshake();
      } catch (IOException e) {
        if (!(failure instanceof SSLException)) {
          failure = e;
        }
      }
      all &= complete[i];
    }
    if (failure != null) {
      throw failure;
    }
    return all;
  }

  /** Returns the streams in their order; the caller's once all handshakes are complete. */
  Wire[] wires() {
    return wires.toArray(Wire[]::new);
  }

  /** Returns the peer's address for messages. */
  String from() {
    return wires.getFirst().peer();
  }

  /** Closes all streams. */
  void close() throws IOException {
    for (TlsWire wire : wires) {
      wire.close();
    }
  }
}
