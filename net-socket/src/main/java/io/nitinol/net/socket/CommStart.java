// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.net.socket.tls.TlsContext;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.PeerProof.Role;
import io.nitinol.toolkit.connect.Completion;
import io.nitinol.toolkit.connect.Proven;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How one side makes its end of a comm of proven connections: at once, or behind TLS handshakes.
 * One for each listener and for each connection on its way; driven by one thread at a time.
 */
final class CommStart<E extends SocketComm> implements Completion.Beginning<E> {
  /** Makes one kind of end. */
  interface Making<E> {
    E of(Wire control, Wire[] data, int threads);
  }

  /** An end that nothing more has to be done for. */
  private record Made<E extends SocketComm>(E end) implements Completion<E> {
    @Override
    public String what() {
      return "comm";
    }

    @Override
    public E advance() {
      return end;
    }

    @Override
    public void close() {
      end.close();
    }
  }

  /**
   * Every Linux has it and allows it to everybody. Where the kernel's default is BBR, large
   * messages go 1.4 times as fast over loopback with it.
   */
  private static final String INSIDE_HOST = "reno";

  private final SocketDevice device;
  private final SocketOptions options;
  private final Role side;
  private final Making<E> making;
  private @Nullable TlsContext context; // of one listener, all whose keys are the same

  private CommStart(SocketDevice device, SocketOptions options, Role side, Making<E> making) {
    this.device = device;
    this.options = options;
    this.side = side;
    this.making = making;
  }

  /** Makes sending ends. */
  static CommStart<SocketSendComm> connecting(SocketDevice device, SocketOptions options) {
    return new CommStart<>(device, options, Role.CONNECTOR, SocketSendComm::new);
  }

  /** Makes receiving ends. */
  static CommStart<SocketRecvComm> accepting(SocketDevice device, SocketOptions options) {
    return new CommStart<>(device, options, Role.ACCEPTOR, SocketRecvComm::new);
  }

  @Override
  public Completion<E> on(Proven proven) throws IOException {
    StreamCount count = StreamCount.of(proven.agreement());
    if (!count.isPossible()) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          proven.label()
              + " asks for "
              + count.data()
              + " data sockets and "
              + count.threads()
              + " threads");
    }
    if (side == Role.CONNECTOR) {
      for (int i = 0; i < proven.channels().length; i++) {
        SocketChannel channel = proven.channels()[i];
        // The kernel's buffers grow unequally, and what is in one can no longer go another way.
        int notSent = i > 0 && count.data() > 1 ? options.notSentBytes() : 0;
        device.plugin().natives().sending(channel, congestion(channel), notSent);
      }
    }
    Encryption encryption = options.encryption();
    if (encryption == null) {
      return new Made<>(plain(proven.channels(), count));
    }
    TlsContext known = context;
    if (known == null) {
      known = encryption.context(proven.key());
      context = known;
    }
    return TlsHandshakes.begin(proven, device, options, known, side, wires -> end(wires, count));
  }

  /** Returns the congestion control of a connection on which this side sends; empty for any. */
  private String congestion(SocketChannel channel) throws IOException {
    return options.congestion().isEmpty()
            && Wire.isInsideHost(channel.getLocalAddress(), channel.getRemoteAddress())
        ? INSIDE_HOST
        : options.congestion();
  }

  private E plain(SocketChannel[] channels, StreamCount count) throws IOException {
    List<Wire> wires = new ArrayList<>();
    try {
      for (SocketChannel channel : channels) {
        wires.add(Wire.of(channel, device, options));
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
