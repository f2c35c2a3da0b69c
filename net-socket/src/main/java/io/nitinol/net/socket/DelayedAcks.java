// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;

/**
 * Asks the kernel to let the acknowledgements of a connection inside the host wait for one another.
 * As a rule it acknowledges each small message when it is read, since nothing goes back on the
 * connection; inside a host that packet is a good part of what a message costs, and nothing is ever
 * lost that it would have to be repeated for.
 */
final class DelayedAcks {
  /** After how many reads the kernel is asked again; it forgets when nothing came for a while. */
  private static final int READS_PER_REQUEST = 64;

  private final SocketChannel channel;
  private final boolean spares;
  private int reads;

  DelayedAcks(SocketChannel channel, SocketAddress peer) throws IOException {
    this.channel = channel;
    this.spares =
        Wire.isInsideHost(channel.getLocalAddress(), peer)
            && channel.supportedOptions().contains(ExtendedSocketOptions.TCP_QUICKACK);
  }

  /** To be called with what each read has returned. */
  void read(int came) throws IOException {
    if (spares && came > 0 && (reads++ & READS_PER_REQUEST - 1) == 0) {
      channel.setOption(ExtendedSocketOptions.TCP_QUICKACK, false);
    }
  }
}
