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
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A {@link DirectLink} over the comms of two connectors. */
@OneThread
final class NetDirectLink implements DirectLink {
  /** The plugin, for the calls of each direction. */
  private final Net sending;

  private final Net receiving;

  private final SendComm send;
  private final RecvComm receive;

  /** The memory that is registered, a few pieces; the last one is asked for most. */
  private final List<Registered> registered = new ArrayList<>();

  // What irecv takes, one element each.
  private final long[] offsets = new long[1];
  private final long[] lengths = new long[1];
  private final int[] tags = new int[1];
  private final int[] arrived = new int[1];

  private boolean closed;

  /** A piece of memory for both directions. */
  private static final class Registered {
    final MemorySegment memory;
    final MemoryHandle outgoing;

    /** The handle, as irecv takes it. */
    final MemoryHandle[] incoming;

    Registered(MemorySegment memory, MemoryHandle outgoing, MemoryHandle incoming) {
      this.memory = memory;
      this.outgoing = outgoing;
      this.incoming = new MemoryHandle[] {incoming};
    }
  }

  private NetDirectLink(NetSend send, NetReceive receive) {
    this.sending = send.net();
    this.receiving = receive.net();
    this.send = send.comm();
    this.receive = receive.comm();
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
    NetDirectLink made = new NetDirectLink(to, from);
    made.register(memory);
    return made;
  }

  private Registered register(MemorySegment memory) {
    MemoryHandle outgoing = sending.regMr(send, Memory.ofHost(memory));
    MemoryHandle ingoing = null;
    try {
      ingoing = receiving.regMr(receive, Memory.ofHost(memory));
    } finally {
      if (ingoing == null) {
        sending.deregMr(send, outgoing);
      }
    }
    Registered made = new Registered(memory, outgoing, ingoing);
    registered.add(made);
    return made;
  }

  private Registered registered(MemorySegment memory) {
    for (int i = registered.size() - 1; i >= 0; i--) {
      Registered each = registered.get(i);
      if (each.memory.address() == memory.address()) {
        return each;
      }
    }
    return register(memory);
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
  public @Nullable Request send(MemorySegment memory, long offset, long length) {
    return sending.isend(send, registered(memory).outgoing, offset, length, 0, 0);
  }

  @Override
  public @Nullable Request receive(MemorySegment memory, long offset, long length) {
    MemoryHandle[] incoming = registered(memory).incoming;
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
        registered.forEach(each -> sending.deregMr(send, each.outgoing));
      } finally {
        registered.forEach(each -> receiving.deregMr(receive, each.incoming[0]));
      }
    }
  }
}
