// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.net.socket.tls.TlsContext;
import io.nitinol.net.socket.wire.TlsWire;
import io.nitinol.net.socket.wire.Wire;
import io.nitinol.net.socket.wire.WireFactory;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.PeerProof.Role;
import io.nitinol.toolkit.connect.Completion;
import io.nitinol.toolkit.connect.Proven;
import io.nitinol.toolkit.thread.OneThread;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Runs the TLS handshakes of the proven connections of one comm. */
@OneThread
final class TlsHandshakes<E> implements Completion<E> {
  private final List<TlsWire> wires;
  private final boolean[] complete;
  private final Role side;
  private final String label;
  private final Function<Wire[], E> end;

  private TlsHandshakes(List<TlsWire> wires, Role side, String label, Function<Wire[], E> end) {
    this.wires = wires;
    this.complete = new boolean[wires.size()];
    this.side = side;
    this.label = label;
    this.end = end;
  }

  /**
   * Takes over the connections of a comm, unless this throws.
   *
   * @param device this side's device for messages
   * @param side this side
   * @param end makes the end of the comm once all is encrypted
   */
  static <E> TlsHandshakes<E> begin(
      Proven proven,
      String device,
      WireFactory factory,
      TlsContext context,
      Role side,
      Function<Wire[], E> end)
      throws IOException {
    SocketChannel[] channels = proven.channels();
    List<TlsWire> wires = new ArrayList<>();
    try {
      for (int i = 0; i < channels.length; i++) {
        int index = i;
        wires.add(
            factory.encrypted(
                channels[i],
                device,
                context,
                side,
                (role, exported) -> proven.binding(index, role, exported)));
      }
      return new TlsHandshakes<>(wires, side, proven.label(), end);
    } catch (IOException | RuntimeException | Error e) {
      for (TlsWire wire : wires) {
        wire.close();
      }
      throw e;
    }
  }

  @Override
  public String what() {
    return "TLS handshake";
  }

  /**
   * {@inheritDoc}
   *
   * @throws IOException when one has failed; on the connecting side only where it was cut, since a
   *     refusal is final there
   */
  @Override
  public @Nullable E advance() throws IOException {
    boolean all = true;
    @Nullable IOException failure = null;
    for (int i = 0; i < complete.length; i++) {
      try {
        complete[i] = complete[i] || wires.get(i).handshake();
      } catch (IOException e) {
        // The peer may have cut the other connections because it refused one.
        if (!(failure instanceof SSLException)) {
          failure = e;
        }
      }
      all &= complete[i];
    }
    if (failure instanceof SSLException && side == Role.CONNECTOR) {
      throw new NetException(
          ResultCode.REMOTE_ERROR,
          ErrorText.of("cannot encrypt the connection to %s: %s", label, failure.getMessage()),
          failure);
    }
    if (failure != null) {
      throw failure;
    }
    return all ? end.apply(wires.toArray(Wire[]::new)) : null;
  }

  @Override
  public void close() throws IOException {
    for (TlsWire wire : wires) {
      wire.close();
    }
  }
}
