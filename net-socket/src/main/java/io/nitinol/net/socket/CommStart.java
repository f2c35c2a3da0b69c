// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.net.socket.config.Encryption;
import io.nitinol.net.socket.stream.StreamCount;
import io.nitinol.net.socket.tls.TlsContext;
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
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes one side's end of a comm out of proven connections: at once, or after TLS handshakes. There
 * is one for each listener and for each pending connection.
 */
@OneThread
final class CommStart<E extends SocketComm> implements Completion.Beginning<E> {
  /** Makes one kind of end. */
  private interface Making<E> {
    E of(Wire control, Wire[] data, int threads);
  }

  private final SocketDevice device;
  private final WireFactory factory;
  private final Role side;
  private final Making<E> making;
  private @Nullable TlsContext context; // of one listener, whose key is always the same

  private CommStart(SocketDevice device, WireFactory factory, Role side, Making<E> making) {
    this.device = device;
    this.factory = factory;
    this.side = side;
    this.making = making;
  }

  /** Makes sending ends. */
  static CommStart<SocketSendComm> connecting(
      SocketDevice device, WireFactory factory, SocketPools pools) {
    return new CommStart<>(
        device,
        factory,
        Role.CONNECTOR,
        (control, data, threads) ->
            new SocketSendComm(control, data, threads, factory.options(), pools));
  }

  /** Makes receiving ends. */
  static CommStart<SocketRecvComm> accepting(
      SocketDevice device, WireFactory factory, SocketPools pools) {
    return new CommStart<>(
        device,
        factory,
        Role.ACCEPTOR,
        (control, data, threads) ->
            new SocketRecvComm(control, data, threads, factory.options(), pools));
  }

  @Override
  public Completion<E> on(Proven proven) throws IOException {
    StreamCount count = StreamCount.of(proven.agreement());
    if (!count.isPossible()) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "%s asks for %d data sockets and %d threads",
              proven.label(), count.data(), count.threads()));
    }
    if (side == Role.CONNECTOR) {
      for (int i = 0; i < proven.channels().length; i++) {
        factory.prepareSending(proven.channels()[i], i > 0 && count.data() > 1);
      }
    }
    Encryption encryption = factory.options().encryption();
    if (encryption == null) {
      return Completion.of(plain(proven.channels(), count), SocketComm::close);
    }
    TlsContext known = context;
    if (known == null) {
      known = encryption.context(proven.key());
      context = known;
    }
    return TlsHandshakes.begin(
        proven, device.label(), factory, known, side, wires -> end(wires, count));
  }

  private E plain(SocketChannel[] channels, StreamCount count) throws IOException {
    List<Wire> wires = new ArrayList<>();
    try {
      for (SocketChannel channel : channels) {
        wires.add(factory.plain(channel, device.label()));
      }
      return end(wires.toArray(Wire[]::new), count);
    } catch (IOException | RuntimeException | Error e) {
      for (Wire wire : wires) {
        wire.close();
      }
      throw e;
    }
  }

  private E end(Wire[] wires, StreamCount count) {
    return making.of(wires[0], Arrays.copyOfRange(wires, 1, wires.length), count.threads());
  }
}
