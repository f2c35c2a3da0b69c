// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.config.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;

/**
 * TCP connections over loopback as a handshake leaves them: in the order of control stream and data
 * streams, and ends of comms made of them.
 */
final class Streams implements AutoCloseable {
  private static final SocketOptions OPTIONS = SocketOptions.read(Settings.of(Map.of()));

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
        // Small, so that a stream that nobody reads soon stands still.
        sending[i].setOption(StandardSocketOptions.SO_SNDBUF, 64 << 10);
        sending[i].connect(server.getLocalAddress());
        receiving[i] = server.accept();
      }
    }
  }

  SocketSendComm sendEnd(Loopback on, int threads) throws IOException {
    Wire[] wires = wires(on, sending);
    return new SocketSendComm(wires[0], data(wires), threads);
  }

  SocketRecvComm recvEnd(Loopback on, int threads) throws IOException {
    Wire[] wires = wires(on, receiving);
    return new SocketRecvComm(wires[0], data(wires), threads);
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
    return Wire.of(channel, device(on), OPTIONS);
  }

  /** Returns a device of the plugin. */
  static SocketDevice device(Loopback on) {
    return new SocketDevice(
        on.net.plugin,
        0,
        InetAddress.getLoopbackAddress(),
        on.net.getProperties(0),
        StreamCount.ONE);
  }

  @Override
  public void close() throws IOException {
    for (int i = 0; i < sending.length; i++) {
      sending[i].close();
      receiving[i].close();
    }
  }
}
