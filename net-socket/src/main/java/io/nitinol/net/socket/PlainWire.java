// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;

/** A TCP connection whose bytes travel as they are. */
final class PlainWire extends Wire {
  /** After how many reads the kernel is asked again; it forgets when nothing came for a while. */
  private static final int READS_PER_REQUEST = 64;

  private final SocketChannel channel;
  private final boolean sparesAcks;
  private int reads;

  private PlainWire(
      SocketChannel channel, SocketDevice device, SocketAddress peer, boolean sparesAcks) {
    super(device, peer);
    this.channel = channel;
    this.sparesAcks = sparesAcks;
  }

  /** Takes over a connected channel, which is closed if that fails. */
  static PlainWire of(SocketChannel channel, SocketDevice device, SocketOptions options)
      throws IOException {
    SocketAddress peer = prepare(channel, options);
    try {
      return new PlainWire(channel, device, peer, isToThisHost(channel, peer));
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Returns whether acknowledgements may wait for one another. As a rule the kernel acknowledges
   * each small message when it is read, since nothing goes back on the connection; inside a host
   * that packet is a good part of what a message costs, and nothing is ever lost that it would have
   * to be repeated for.
   */
  private static boolean isToThisHost(SocketChannel channel, SocketAddress peer)
      throws IOException {
    return channel.getLocalAddress() instanceof InetSocketAddress own
        && peer instanceof InetSocketAddress other
        && own.getAddress().equals(other.getAddress())
        && channel.supportedOptions().contains(ExtendedSocketOptions.TCP_QUICKACK);
  }

  @Override
  int write(ByteBuffer buffer) throws IOException {
    return channel.write(buffer);
  }

  @Override
  boolean flush() {
    return true; // what was taken is what the kernel has
  }

  @Override
  int read(ByteBuffer buffer) throws IOException {
    int came = channel.read(buffer);
    if (sparesAcks && came > 0 && (reads++ & READS_PER_REQUEST - 1) == 0) {
      channel.setOption(ExtendedSocketOptions.TCP_QUICKACK, false);
    }
    return came;
  }

  @Override
  SelectionKey register(Selector selector) throws IOException {
    return channel.register(selector, 0);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
