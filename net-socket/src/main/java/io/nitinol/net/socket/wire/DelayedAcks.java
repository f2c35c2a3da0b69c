// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.wire;

import io.nitinol.toolkit.thread.OneThread;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;

/**
 * Asks the kernel to delay the acknowledgements of a connection inside the host, so that one packet
 * acknowledges several messages. Otherwise it acknowledges each small message when it is read,
 * since nothing goes back on the connection. Inside a host that packet is a good part of what a
 * message costs, and nothing is ever lost that would have to be sent again.
 */
@OneThread
final class DelayedAcks {
  /** After how many reads the kernel is asked again; it forgets when nothing came for a while. */
  private static final int READS_PER_REQUEST = 64;

  private final SocketChannel channel;
  private final boolean delays;
  private int reads;

  DelayedAcks(SocketChannel channel, SocketAddress peer) throws IOException {
    this.channel = channel;
    this.delays =
        Wire.isInsideHost(channel.getLocalAddress(), peer)
            && channel.supportedOptions().contains(ExtendedSocketOptions.TCP_QUICKACK);
  }

  /** Takes note of a read, and of how many bytes it has returned. */
  void read(int came) throws IOException {
    if (delays && came > 0 && (reads++ & READS_PER_REQUEST - 1) == 0) {
      channel.setOption(ExtendedSocketOptions.TCP_QUICKACK, false);
    }
  }
}
