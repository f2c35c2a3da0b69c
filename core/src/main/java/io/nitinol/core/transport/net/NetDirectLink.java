// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.net;

import io.nitinol.core.plugin.NetDevices;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.toolkit.thread.OneThread;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A {@link DirectLink} over the comms of two connectors. */
@OneThread
final class NetDirectLink implements DirectLink {
  /** The plugin, for the calls of each direction. */
  private final Net sending;

  private final Net receiving;

  private final SendComm send;
  private final RecvComm receive;
  private final MemoryHandle outgoing;

  // What irecv takes, one element each.
  private final MemoryHandle[] incoming;
  private final long[] offsets = new long[1];
  private final long[] lengths = new long[1];
  private final int[] tags = new int[1];
  private final int[] arrived = new int[1];

  private boolean closed;

  private NetDirectLink(
      NetSend send, NetReceive receive, MemoryHandle outgoing, MemoryHandle incoming) {
    this.sending = send.net();
    this.receiving = receive.net();
    this.send = send.comm();
    this.receive = receive.comm();
    this.outgoing = outgoing;
    this.incoming = new MemoryHandle[] {incoming};
  }

  /** As {@link DirectLink#of}. */
  static @Nullable DirectLink of(
      SendConnector send, ReceiveConnector receive, MemorySegment memory, long most) {
    if (!(send instanceof NetSend to)
        || !(receive instanceof NetReceive from)
        || to.net().supports(OptionalOperation.IRECV_CONSUMED)
        || longestMessage(to.net()) < most) {
      return null;
    }
    MemoryHandle outgoing = to.net().regMr(to.comm(), Memory.ofHost(memory));
    MemoryHandle incoming = null;
    try {
      incoming = from.net().regMr(from.comm(), Memory.ofHost(memory));
    } finally {
      if (incoming == null) {
        to.net().deregMr(to.comm(), outgoing);
      }
    }
    return new NetDirectLink(to, from, outgoing, incoming);
  }

  /** Returns how many bytes a message may have on every device that the transport can use. */
  private static long longestMessage(Net net) {
    long longest = Long.MAX_VALUE;
    for (int i = 0; i < net.devices(); i++) {
      NetProperties device = net.getProperties(i);
      if (NetDevices.isUsable(device)) {
        longest = Math.min(longest, device.maxP2pBytes());
      }
    }
    return longest;
  }

  @Override
  public @Nullable Request send(long offset, long length) {
    return sending.isend(send, outgoing, offset, length, 0, 0);
  }

  @Override
  public @Nullable Request receive(long offset, long length) {
    offsets[0] = offset;
    lengths[0] = length;
    return receiving.irecv(receive, 1, incoming, offsets, lengths, tags, null, 0);
  }

  @Override
  public int test(Request request, boolean sends) {
    return (sends ? sending : receiving).test(request, arrived) ? arrived[0] : -1;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      try {
        sending.deregMr(send, outgoing);
      } finally {
        receiving.deregMr(receive, Objects.requireNonNull(incoming[0], "incoming"));
      }
    }
  }
}
