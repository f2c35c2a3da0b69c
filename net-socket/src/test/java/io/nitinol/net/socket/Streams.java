// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.net.socket.wire.Wire;
import io.nitinol.net.socket.wire.WireFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * TCP connections over loopback as a handshake leaves them: in the order of control stream and data
 * streams, and ends of comms made of them.
 */
final class Streams implements AutoCloseable {
  /** The device of the connections for messages. */
  static final String DEVICE = "device 0 (lo)";

  final SocketChannel[] sending;
  final SocketChannel[] receiving;

  /** Connects {@code data} data streams and a control stream. */
  Streams(int data) throws IOException {
    sending = new SocketChannel[1 + data];
    receiving = new SocketChannel[1 + data];
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      for (int i = 0; i <= data; i++) {
        sending[i] = SocketChannel.open();
        // Small, so that a stream that is not read soon stands still.
        sending[i].setOption(StandardSocketOptions.SO_SNDBUF, 64 << 10);
        sending[i].connect(server.getLocalAddress());
        receiving[i] = server.accept();
      }
    }
  }

  SocketSendComm sendEnd(Loopback on, int threads) throws IOException {
    Wire[] wires = wires(on, sending);
    WireFactory factory = on.net.plugin.wires();
    return new SocketSendComm(
        wires[0], data(wires), threads, factory.options(), on.net.plugin.pools);
  }

  SocketRecvComm recvEnd(Loopback on, int threads) throws IOException {
    Wire[] wires = wires(on, receiving);
    return recvEnd(on, wires[0], data(wires), threads);
  }

  /** Makes a receiving end of wires. */
  static SocketRecvComm recvEnd(Loopback on, Wire control, Wire[] data, int threads) {
    SocketNet plugin = on.net.plugin;
    return new SocketRecvComm(control, data, threads, plugin.wires().options(), plugin.pools);
  }

  /** Gives {@code on} a comm of {@code data} data streams. */
  static Loopback connect(Loopback on, int data, int threads) throws IOException {
    Streams streams = new Streams(data);
    on.send = streams.sendEnd(on, threads);
    on.recv = streams.recvEnd(on, threads);
    return on;
  }

  private static Wire[] data(Wire[] wires) {
    Wire[] data = new Wire[wires.length - 1];
    System.arraycopy(wires, 1, data, 0, data.length);
    return data;
  }

  private static Wire[] wires(Loopback on, SocketChannel[] channels) throws IOException {
    Wire[] wires = new Wire[channels.length];
    for (int i = 0; i < wires.length; i++) {
      channels[i].configureBlocking(false);
      wires[i] = wire(on, channels[i]);
    }
    return wires;
  }

  /** Makes a stream of a comm of a connection. */
  static Wire wire(Loopback on, SocketChannel channel) throws IOException {
    return on.net.plugin.wires().plain(channel, DEVICE);
  }

  @Override
  public void close() throws IOException {
    for (int i = 0; i < sending.length; i++) {
      sending[i].close();
      receiving[i].close();
    }
  }
}
