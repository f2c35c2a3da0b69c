// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.net;

import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.spi.NetException;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.toolkit.thread.OneThread;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Both directions between two ranks over a network plugin, for messages that lie in one piece of
 * registered memory of the user's: nothing is copied on the way between that memory and the plugin.
 * The connectors are of {@code Use.DIRECT}, and nobody else moves messages over them; they stay
 * their maker's, which closes them after {@link #close}.
 */
@OneThread
public final class DirectLink implements AutoCloseable {
  private final Net net;
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

  private DirectLink(
      Net net, SendComm send, RecvComm receive, MemoryHandle outgoing, MemoryHandle incoming) {
    this.net = net;
    this.send = send;
    this.receive = receive;
    this.outgoing = outgoing;
    this.incoming = new MemoryHandle[] {incoming};
  }

  /**
   * Registers memory for the two directions.
   *
   * @param send the connection to the peer
   * @param receive the one from there
   * @param memory where all messages lie; the caller's, and alive until {@link #close}
   * @return null where the connections are of another transport, or the plugin wants to hear when a
   *     message was used; the same answer on both ranks
   * @throws NetException where the plugin does not register the memory
   */
  public static @Nullable DirectLink of(
      SendConnector send, ReceiveConnector receive, MemorySegment memory) {
    if (!(send instanceof NetSend to)
        || !(receive instanceof NetReceive from)
        || to.net().supports(OptionalOperation.IRECV_CONSUMED)) {
      return null;
    }
    Net net = to.net();
    MemoryHandle outgoing = net.regMr(to.comm(), Memory.ofHost(memory));
    MemoryHandle incoming = null;
    try {
      incoming = net.regMr(from.comm(), Memory.ofHost(memory));
    } finally {
      if (incoming == null) {
        net.deregMr(to.comm(), outgoing);
      }
    }
    return new DirectLink(net, to.comm(), from.comm(), outgoing, incoming);
  }

  /**
   * Starts to send.
   *
   * @param offset the first byte in the memory
   * @return null where there is no room now
   */
  public @Nullable Request send(long offset, long length) {
    return net.isend(send, outgoing, offset, length, 0, 0);
  }

  /** Starts to receive a message of at most {@code length} bytes, as {@link #send}. */
  public @Nullable Request receive(long offset, long length) {
    offsets[0] = offset;
    lengths[0] = length;
    return net.irecv(receive, 1, incoming, offsets, lengths, tags, null, 0);
  }

  /**
   * Returns the size of a message that has been sent or received; -1 where it has not. The request
   * is not to be used again else.
   */
  public int test(Request request) {
    return net.test(request, arrived) ? arrived[0] : -1;
  }

  /** Undoes the registrations. Messages may be under way only when the connections close next. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      try {
        net.deregMr(send, outgoing);
      } finally {
        net.deregMr(receive, Objects.requireNonNull(incoming[0], "incoming"));
      }
    }
  }
}
