// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.wire;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A TCP connection whose bytes travel as they are, through the channel. */
public final class PlainWire extends Wire {
  private final SocketChannel channel;
  private final DelayedAcks acks;

  /** Takes over a prepared channel, which the caller closes if that fails. */
  PlainWire(SocketChannel channel, String device, SocketAddress peer) throws IOException {
    super(device, peer);
    this.channel = channel;
    this.acks = new DelayedAcks(channel, peer);
  }

  @Override
  public int write(ByteBuffer buffer) throws IOException {
    return channel.write(buffer);
  }

  @Override
  public boolean flush() {
    return true; // what was taken is what the kernel has
  }

  @Override
  public int read(ByteBuffer buffer) throws IOException {
    checkBehind();
    int came = channel.read(buffer);
    acks.read(came);
    return came;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
