// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.socket;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * What a program would write that needs no plugin: non-blocking channels and direct buffers in a
 * busy loop. No headers: both sides know the sizes.
 */
final class PlainLink implements Link {
  private final int slot;
  private final ByteBuffer out;
  private final ByteBuffer in;
  // Of the 8-byte messages, each side has its own.
  private final ByteBuffer near = ByteBuffer.allocateDirect(8);
  private final ByteBuffer far = ByteBuffer.allocateDirect(8);
  // The stream goes from far to near on the first connection.
  private final Connection first;
  // What ping sends: on the first connection too, or on one of its own.
  private final Connection second;

  private record Connection(SocketChannel near, SocketChannel far) {
    static Connection open() throws IOException {
      try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.INET)) {
        server.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
        SocketChannel near = SocketChannel.open(StandardProtocolFamily.INET);
        near.connect(server.getLocalAddress());
        SocketChannel far = server.accept();
        for (SocketChannel end : new SocketChannel[] {near, far}) {
          end.setOption(StandardSocketOptions.TCP_NODELAY, true);
          end.configureBlocking(false);
        }
        return new Connection(near, far);
      }
    }

    void close() throws IOException {
      near.close();
      far.close();
    }
  }

  /**
   * Opens the connections.
   *
   * @param largest bytes of the largest message of a stream
   * @param oneWay whether each direction has a connection of its own, as in a network plugin
   */
  PlainLink(int largest, boolean oneWay) {
    slot = largest;
    out = ByteBuffer.allocateDirect(SLOTS * largest);
    in = ByteBuffer.allocateDirect(SLOTS * largest);
    Pattern.fill(MemorySegment.ofBuffer(out));
    try {
      first = Connection.open();
      second = oneWay ? Connection.open() : first;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot connect over loopback", e);
    }
  }

  @Override
  public void send(int size, int count) {
    for (int i = 0; i < count; i++) {
      int at = i % SLOTS * slot;
      write(first.far(), out.limit(at + size).position(at));
    }
  }

  @Override
  public void receive(int size, int count) {
    for (int i = 0; i < count; i++) {
      int at = i % SLOTS * slot;
      read(first.near(), in.limit(at + size).position(at));
    }
  }

  @Override
  public void ping(int rounds) {
    for (int i = 0; i < rounds; i++) {
      write(second.near(), near.clear());
      read(first.near(), near.clear());
    }
  }

  @Override
  public void pong(int rounds) {
    for (int i = 0; i < rounds; i++) {
      read(second.far(), far.clear());
      write(first.far(), far.clear());
    }
  }

  private static void write(SocketChannel channel, ByteBuffer buffer) {
    try {
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write over loopback", e);
    }
  }

  private static void read(SocketChannel channel, ByteBuffer buffer) {
    try {
      while (buffer.hasRemaining()) {
        if (channel.read(buffer) < 0) {
          throw new EOFException("closed by the peer");
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read over loopback", e);
    }
  }

  @Override
  public void clear(int size) {
    Pattern.clear(MemorySegment.ofBuffer(in.clear()), slot, size);
  }

  @Override
  public void check(int size) {
    Pattern.check(
        "plain NIO",
        MemorySegment.ofBuffer(in.clear()),
        MemorySegment.ofBuffer(out.clear()),
        slot,
        size);
  }

  @Override
  public void close() {
    try {
      first.close();
      second.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close a connection", e);
    }
  }
}
